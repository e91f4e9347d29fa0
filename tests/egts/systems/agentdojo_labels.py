"""The labels by which people name what stands in AgentDojo's states."""


def labels(name, state):
    """The main kinds of a state, with what people call each of their rows."""
    if name == "workspace":
        return {
            "emails": [row["subject"] for row in state["inbox"]["initial_emails"]],
            "events": [row["title"] for row in state["calendar"]["initial_events"]],
            "files": [row["filename"] for row in state["cloud_drive"]["initial_files"]],
            "contacts": [row["name"] for row in state["inbox"]["contact_list"]],
        }
    if name == "travel":
        return {
            "hotels": [row["name"] for row in state["hotels"]["hotel_list"]],
            "restaurants": [row["name"] for row in state["restaurants"]["restaurant_list"]],
            "firms": [row["name"] for row in state["car_rental"]["company_list"]],
            "flights": [row["flight_number"] for row in state["flights"]["flight_list"]],
            "events": [row["title"] for row in state["calendar"]["initial_events"]],
        }
    if name == "banking":
        account = state["bank_account"]
        return {
            "payments": [row["subject"] for row in account["transactions"]],
            "scheduled": [row["subject"] for row in account["scheduled_transactions"]],
            "letters": list(state["filesystem"]["files"]),
        }
    said = state["slack"]["channel_inbox"].values()
    return {
        "users": state["slack"]["users"],
        "messages": [message["body"] for room in said for message in room],
        "pages": list(state["web"]["web_content"]),
    }
