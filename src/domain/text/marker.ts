/** Hidden markers by which the service finds its own notes again (D11; spec 2: Notes on the item). */

export type MarkerFields = Readonly<Record<string, string | number>>;

/** No marker of the service is nearly as long; what people wrote into a note must not cost more than reading it. */
const MARKER = /^ {0,3}<!-- planwright:([^\s<>]{0,4096}) -->/gm;

/** Fields as one word, e.g. `run=ID;kind=question;q=scope`; nothing in it can end a comment or a line. */
export function markerKey(fields: MarkerFields): string {
  return Object.entries(fields)
    .map(([name, value]) => `${encode(name)}=${encode(String(value))}`)
    .join(';');
}

/** The marker as it stands in a note, on a line of its own: `<!-- planwright:run=ID;kind=status -->`. */
export function marker(fields: MarkerFields): string {
  return `<!-- planwright:${markerKey(fields)} -->`;
}

/** The markers at line starts of a note's text, in order. Strange ones are left out. */
export function findMarkers(body: string): Record<string, string>[] {
  const found: Record<string, string>[] = [];
  for (const [, key = ''] of body.matchAll(MARKER)) {
    const fields = decodeKey(key);
    if (fields) found.push(fields);
  }
  return found;
}

/** Does the note carry this marker? `wanted`: fields, the key of `markerKey`, or the whole marker; all fields must be the same. */
export function hasMarker(body: string, wanted: MarkerFields | string): boolean {
  const key = typeof wanted === 'string' ? wanted.replace(/^<!-- planwright:| -->$/g, '') : markerKey(wanted);
  return findMarkers(body).some((fields) => markerKey(fields) === key);
}

/** Is it a note of the service, by what it carries? Who wrote it must be checked besides. */
export function hasAnyMarker(body: string): boolean {
  return findMarkers(body).length > 0;
}

function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll('--', '%2D%2D').replaceAll("'", '%27');
}

function decodeKey(key: string): Record<string, string> | null {
  const fields: [string, string][] = [];
  for (const part of key.split(';')) {
    const cut = part.indexOf('=');
    if (cut < 1) return null;
    try {
      fields.push([decodeURIComponent(part.slice(0, cut)), decodeURIComponent(part.slice(cut + 1))]);
    } catch {
      return null;
    }
  }
  return Object.fromEntries(fields);
}
