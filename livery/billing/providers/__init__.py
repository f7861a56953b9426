"""Payment providers: ``port`` describes what each must do, each has its own file, ``choice`` picks by the settings, ``wire`` speaks HTTP for all."""
