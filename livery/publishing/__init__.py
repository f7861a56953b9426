"""Publishing: drafts become releases.

A release is a number of its project, counted from 1 without gaps. Its content is a set of named parts (`text/<screen>/<language>`, `colors`,
`meta`); a part's body is kept once under the hash of its canonical JSON, and a release stores rows only for the parts it changed.
Everything a release does happens in one transaction; releases and bodies are never changed afterwards.
"""
