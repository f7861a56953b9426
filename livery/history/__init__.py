"""The histories of places: what each version changed, and the way back to any of them, into the draft; of an item also to apps."""
