"""Execution-grounded task synthesis (paper 3.1, B.1): verified demonstrations from systems that
other people wrote.

`systems` opens a foreign system behind the environment protocol; `explore` finds what can be done,
`propose` makes requests of it, `replay` carries them out again from the request alone, `audit`
keeps what holds.
"""
