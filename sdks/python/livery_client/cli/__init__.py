"""The command line for developers of Python apps: the commands of ``@livery/cli``, without Node.js."""
