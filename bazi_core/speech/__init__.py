"""From facts to words, by construction.

What may be said of a chart, a year, a row of years or a cast are its statements (`statements`): rows of the catalogue with
typed values and the facts from which they follow. A plan puts them in an order; the speaker renders a plan in a language.
Nothing reads a sentence back.
"""
