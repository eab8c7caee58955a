/**
 * Takes the expectations out of a text that shows them below the lines they speak of:
 *
 *     %add : [num_users=1] = ...
 *      ^^^ variable.other.constant.definition
 *
 * @returns the text without them, and per expectation: line (from 0), start, end (columns), and what is expected
 */
export function takeMarkers(marked) {
  const lines = marked.replace(/^\n/, "").replace(/\n[ ]*$/, "").split("\n");
  const indent = Math.min(...lines.filter((line) => line.trim()).map((line) => line.search(/\S/)));
  const text = [];
  const expected = [];
  for (const line of lines.map((line) => line.slice(indent))) {
    const marker = /^( *)(\^+) (\S.*)$/.exec(line);
    if (marker === null) {
      text.push(line);
    } else {
      const start = marker[1].length;
      expected.push({ line: text.length - 1, start, end: start + marker[2].length, value: marker[3] });
    }
  }
  if (expected.length === 0) {
    throw new Error("no line of ^ marks: nothing would be checked");
  }
  return { text: text.join("\n"), expected };
}
