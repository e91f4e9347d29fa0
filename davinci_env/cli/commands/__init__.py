"""The commands, one small module for each group; none imports a room before its command runs."""
