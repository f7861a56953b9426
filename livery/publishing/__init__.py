"""Publishing: drafts become releases.

A release is a number of its project, counted from 1 without gaps. Its content is a set of named parts. A part's body is
kept once under the hash of its canonical JSON, and a release has rows only for the parts that it changed. What the parts hold is known to the
kinds of content; only ``kinds`` knows which there are.
Everything a release does happens in one transaction; releases and bodies are never changed afterwards.
"""
