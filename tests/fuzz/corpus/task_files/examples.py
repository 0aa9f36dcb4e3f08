[{"problem": "one \\frac", "solution": "two\n"
 "three"}]
