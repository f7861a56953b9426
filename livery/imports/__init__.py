"""Imports: texts of files put into the draft, looked at before, and taken back in one step.

An *import* has files. Its *plan* is what their texts would do to the draft at this moment. Each *row* of the plan is new, the same, changed, a
conflict or invalid. A conflict would overwrite the text of a person. Nothing of the draft changes before the import is *applied*. An applied
import can be *undone* once, as far as nobody changed its texts since.
"""
