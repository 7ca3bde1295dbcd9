"""The cases as files: packages for other judges, and a checker for students."""
