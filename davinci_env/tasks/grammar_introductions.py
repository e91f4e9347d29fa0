"""How people say who they are. Nothing here knows a domain.

`{said}` is a value, `{says}` what it is called, `{listed}` and `{plain}` are further ones.
"""

from __future__ import annotations

ONE_FACT = (
    "For identification, my {says} is {said}.",
    "In your files, my {says} reads {said}.",
    "Please note my {says}: {said}.",
    "As proof of who I am, my {says}: {said}.",
    "I can offer you my {says}, {said}.",
    "In case you ask for it, my {says} is {said}.",
    "My {says} is {said}.",
    "{Says}: {said}.",
    "It's {said}, that's my {says}.",
    "My {says}, in case you need it: {said}.",
    "You'll want my {says}, I suppose: {said}.",
    "Here's my {says}: {said}.",
    "You may need my {says}, which is {said}.",
    "{Says} {said}, if that helps.",
    "So that you can check: my {says} is {said}.",
    "To look me up, you can use my {says}: {said}.",
    "The {says} that you have for me is {said}.",
    "The {says} on file should be {said}.",
    "For verification: {says} {said}.",
)
"""Tells one fact of oneself by its name."""

ONE_PLAIN_FACT = (
    "My profile is linked to {said}.",
    "The entry for {said} is mine.",
    "I'm listed with {said}.",
    "{said} belongs to me.",
    "Search for {said} and you'll see me.",
    "Typing in {said} should bring me up.",
    "You have me down as {said}.",
    "I joined with {said}.",
    "{said} is the {says} you should have for me.",
    "As {says} you should have {said}.",
    "The {says} I gave you back then is {said}.",
    "You'll find me under {said}.",
    "I'm registered under {said}.",
    "Please look under {said}.",
    "I'm {said} in your system.",
    "My details should be under {said}.",
    "{said}, that's me.",
    "I signed up with {said}.",
    "My account runs under {said}.",
    "You can look me up with {said}.",
    "My account with you is under {said}.",
    "To find me, try {said}.",
)
"""Tells one fact of oneself that needs no name: a unique one."""

SEVERAL_FACTS = (
    "By way of identification: {says} {said}, {plain}.",
    "These should be enough to recognise me: {says} {said}, {plain}.",
    "My {says} is {said} and {listed}.",
    "{Says} {said}, {plain}.",
    "It's {said} ({says}), and {listed}.",
    "For the record: {says} {said}, {plain}.",
    "Here are my details: {says} {said}, {plain}.",
    "You need these from me, I think: {says} {said} and {plain}.",
    "To identify myself: {says} {said}; {plain}.",
    "I can give you the {says}, {said}, and the rest as well: {plain}.",
    "So you know who's speaking: {says} {said}, {plain}.",
    "I've got the {says} here, it's {said}; {plain}.",
    "To look me up, {says} {said}, {plain}.",
    "For verification: {says} {said}, {plain}.",
    "This is what my file should contain: {says} {said}, {plain}.",
)
"""Tells several facts of oneself."""

NAMES = ("This is {said}.", "My name is {said}.", "{said} here.", "I'm {said}.", "{said} speaking.")
