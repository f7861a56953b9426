"""Translation services: ``port`` describes what each must do, each has its own file, ``choice`` picks by settings, ``wire`` speaks HTTP for all."""
