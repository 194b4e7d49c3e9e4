/** Who changed something of the library, and when. `name` is handed out with the entry: let it name nobody in private. */
export type Author = {
  at: Date;
  name: string;
  accountId?: string | undefined;
  /** Where it was taken from, when a source told it. */
  sourceId?: string | undefined;
};

export type Change = {
  resourceType: 'service' | 'organization' | 'taxonomy' | 'taxonomy_term';
  resourceId: string;
  action: 'create' | 'update' | 'delete';
  fields: readonly FieldChange[];
};

type FieldChange = { name: string; previous: string; replacement: string };

const maxValueLength = 5000;
/** So much of what both have alike is kept before the place where they differ. */
const context = 500;

/** That something is new. Its values need no keeping: the next change keeps what it replaces. */
export function creation(resourceType: Change['resourceType'], resourceId: string): Change {
  const fields = [{ name: 'id', previous: '', replacement: resourceId }];
  return { resourceType, resourceId, action: 'create', fields };
}

/** What became of a thing of which there were two versions: what differs between them, field by field. */
export function update(
  resourceType: Change['resourceType'],
  resourceId: string,
  before: object,
  after: object,
): Change {
  const fields = changedFields(before as Document, after as Document);
  // Nearly every change has a new date, which says nothing beside the others.
  const others = fields.filter(({ name }) => name !== 'last_modified');
  return { resourceType, resourceId, action: 'update', fields: others.length > 0 ? others : fields };
}

/** A source's own, which only says again that something changed. */
const metadataField = 'metadata';

type Document = Record<string, unknown>;

function changedFields(before: Document, after: Document): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => name !== metadataField)
    .map((name) => ({ name, previous: textOf(before, name), replacement: textOf(after, name) }))
    .filter(({ previous, replacement }) => previous !== replacement)
    .map(shorten);
}

/** HSDS keeps old and new values as texts. A field may be called as something that every object has, such as `constructor`. */
function textOf(document: Document, name: string): string {
  const value = Object.hasOwn(document, name) ? document[name] : undefined;
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Of long values the part in which they begin to differ: cut at the same place they could look alike. */
function shorten({ name, previous, replacement }: FieldChange): FieldChange {
  const place = firstDifference(previous, replacement);
  const from = place + context <= maxValueLength ? 0 : place - context;
  return { name, previous: part(previous, from), replacement: part(replacement, from) };
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function part(value: string, from: number): string {
  const kept = value.slice(from, from + maxValueLength).toWellFormed();
  return `${from > 0 ? '…' : ''}${kept}${value.length > from + maxValueLength ? '…' : ''}`;
}
