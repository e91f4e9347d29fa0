"""The Model Context Protocol over an environment: tools, the policy as a resource, no more.

The server is the protocol library's low-level one: it takes our schemas, results and errors as they
are, and costs a third of the high-level framework's time a call. Handlers run on the event loop
without a pause between finding an environment and answering, so that calls on one environment are
served one at a time, in their order of arrival.
"""

import base64
import binascii
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import wraps
from typing import Any, TypeVar

import mcp_types as mcp
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from davinci_env import __version__
from davinci_env.environment import Environment, Metadata, ToolResult, ToolSpec
from davinci_env.serve import validation
from davinci_env.serve.refusal import Refusal

logger = logging.getLogger(__name__)

PAGE_SIZE = 50

Context = ServerRequestContext[Any, Any]
EnvironmentOf = Callable[[Context], Environment]
Item = TypeVar("Item")
Result = TypeVar("Result")
Params = TypeVar("Params")
Handler = Callable[[Context, Params], Awaitable[Result]]


def build_server(
    metadata: Metadata, environment_of: EnvironmentOf, *, page_size: int = PAGE_SIZE
) -> Server[Any]:
    """Build the MCP server that answers for the environments of one domain.

    Args:
        metadata: what the server says of itself: name and policy.
        environment_of: finds the environment a request is bound to; raises `Refusal` where there is
            none.
        page_size: how many entries a list gives at once.
    """
    policy_uri = f"policy://{metadata.name}"

    @_sealed
    async def list_tools(
        context: Context, params: mcp.PaginatedRequestParams | None
    ) -> mcp.ListToolsResult:
        tools = [describe(spec) for spec in environment_of(context).tools()]
        page, cursor = paginate(tools, params, page_size)
        return mcp.ListToolsResult(tools=page, next_cursor=cursor)

    @_sealed
    async def call_tool(context: Context, params: mcp.CallToolRequestParams) -> mcp.CallToolResult:
        environment = environment_of(context)
        return answer(validation.call(environment, params.name, params.arguments or {}))

    @_sealed
    async def list_resources(
        context: Context, params: mcp.PaginatedRequestParams | None
    ) -> mcp.ListResourcesResult:
        policy = mcp.Resource(
            uri=policy_uri,
            name="policy",
            title=f"Policy of {metadata.name}",
            description="The business's rules, which whoever calls these tools has to follow.",
            mime_type="text/markdown",
        )
        page, cursor = paginate([policy], params, page_size)
        return mcp.ListResourcesResult(resources=page, next_cursor=cursor)

    @_sealed
    async def read_resource(
        context: Context, params: mcp.ReadResourceRequestParams
    ) -> mcp.ReadResourceResult:
        if str(params.uri) != policy_uri:
            raise MCPError(
                code=mcp.INVALID_PARAMS,
                message=f"There is no such resource; the only one is {policy_uri}.",
                data={"uri": str(params.uri)},
            )
        text = environment_of(context).metadata.policy
        contents = mcp.TextResourceContents(uri=policy_uri, mime_type="text/markdown", text=text)
        return mcp.ReadResourceResult(contents=[contents])

    @_sealed
    async def list_templates(
        context: Context, params: mcp.PaginatedRequestParams | None
    ) -> mcp.ListResourceTemplatesResult:
        templates, cursor = paginate(_NO_TEMPLATES, params, page_size)
        return mcp.ListResourceTemplatesResult(resource_templates=templates, next_cursor=cursor)

    @_sealed
    async def list_prompts(
        context: Context, params: mcp.PaginatedRequestParams | None
    ) -> mcp.ListPromptsResult:
        prompts, cursor = paginate(_NO_PROMPTS, params, page_size)
        return mcp.ListPromptsResult(prompts=prompts, next_cursor=cursor)

    return Server(
        metadata.name,
        version=__version__,
        instructions=metadata.policy,
        # Our schemas name no headers; without this the library lists all tools before every call.
        get_tool_input_schema=lambda name: None,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
        on_list_resource_templates=list_templates,
        on_list_prompts=list_prompts,
    )


_NO_TEMPLATES: list[mcp.ResourceTemplate] = []
_NO_PROMPTS: list[mcp.Prompt] = []


def describe(spec: ToolSpec) -> mcp.Tool:
    """Put a tool into the protocol's form, with all four annotations said outright."""
    hints = spec.annotations
    return mcp.Tool(
        name=spec.name,
        title=spec.title,
        description=spec.description,
        input_schema=spec.parameters,
        output_schema=spec.output_schema,
        annotations=mcp.ToolAnnotations(
            title=spec.title,
            read_only_hint=hints["readOnlyHint"],
            destructive_hint=hints["destructiveHint"],
            idempotent_hint=hints["idempotentHint"],
            open_world_hint=hints["openWorldHint"],
        ),
    )


def answer(result: ToolResult) -> mcp.CallToolResult:
    """Put a tool's result into the protocol's form: structured content, and the same JSON as text.

    Only what the agent may see goes in: `violated` and `seen` stay behind.
    """
    return mcp.CallToolResult(
        content=[mcp.TextContent(text=result.text)],
        structured_content=result.content,
        is_error=not result.ok,
    )


def paginate(
    items: Sequence[Item], params: mcp.PaginatedRequestParams | None, size: int
) -> tuple[list[Item], str | None]:
    """Return one page of a list, and the cursor of the next where there is one.

    Raises:
        MCPError: invalid params, where the cursor is not one that we gave.
    """
    cursor = None if params is None else params.cursor
    start = 0 if cursor is None else _read_cursor(cursor)
    if cursor is not None and not 0 < start < len(items):
        raise _foreign_cursor()
    end = start + size
    return list(items[start:end]), _make_cursor(end) if end < len(items) else None


def _make_cursor(position: int) -> str:
    return base64.urlsafe_b64encode(f"after:{position}".encode()).decode()


def _read_cursor(cursor: str) -> int:
    try:
        word, _, position = base64.b64decode(cursor, altchars=b"-_", validate=True).partition(b":")
        if word != b"after" or not position.isdigit():
            raise _foreign_cursor()
        return int(position)
    except (binascii.Error, ValueError):
        raise _foreign_cursor() from None


def _foreign_cursor() -> MCPError:
    return MCPError(
        code=mcp.INVALID_PARAMS,
        message="This cursor is none that the server gave; list again from the start.",
    )


def _sealed(handler: Handler[Params, Result]) -> Handler[Params, Result]:
    """Let nothing but protocol errors out of a handler; a defect is logged, not told."""

    @wraps(handler)
    async def sealed(context: Context, params: Params) -> Result:
        try:
            return await handler(context, params)
        except MCPError:
            raise
        except Refusal as refusal:
            raise MCPError(
                code=mcp.INVALID_REQUEST, message=str(refusal), data={"code": refusal.code}
            ) from None
        except Exception:
            logger.exception("a request failed in the server")
            raise MCPError(
                code=mcp.INTERNAL_ERROR, message="The server failed to answer."
            ) from None

    return sealed
