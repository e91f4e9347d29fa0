"""What runs in a foreign system's own interpreter: one module a family, and the loop that serves
it.

Nothing here imports the rest of the package: the interpreter that runs it has the foreign package
and the standard library, and no more.
"""
