// Splits a query into words.

export interface Word {
  readonly text: string;
  /** Written in quotes: it is text, whatever it says. */
  readonly quoted: boolean;
  /** Written with a "-" in front. */
  readonly negated: boolean;
}

/** The words of a query in lower case; spaces part them, but not in quotes (`"leaf"`, `shape:"(3, 4)"`). */
export function wordsOf(query: string): Word[] {
  const words: Word[] = [];
  for (const [written] of query.toLowerCase().matchAll(/(?:"[^"]*"?|[^\s"])+/g)) {
    const negated = written.startsWith("-") && written.length > 1;
    const said = negated ? written.slice(1) : written;
    const text = said.replaceAll('"', "");
    if (text !== "") words.push({ text, quoted: said.startsWith('"'), negated });
  }
  return words;
}
