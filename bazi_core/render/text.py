def chart_text(chart, lang, color):
    return ""
