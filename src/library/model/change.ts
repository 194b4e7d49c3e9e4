/** Who changed the library, and when. `name` is published, so it must not name a private person. */
export type Author = {
  at: Date;
  name: string;
  accountId?: string | undefined;
  /** The source of an imported change. */
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
/** Characters of unchanged text that are kept before the first difference. */
const context = 500;

/** A new resource. Its values are not stored here, because the next change stores what it replaces. */
export function creationOf(resourceType: Change['resourceType'], resourceId: string): Change {
  const fields = [{ name: 'id', previous: '', replacement: resourceId }];
  return { resourceType, resourceId, action: 'create', fields };
}

/** The fields that differ between two versions of a resource. */
export function updateOf(
  resourceType: Change['resourceType'],
  resourceId: string,
  before: object,
  after: object,
): Change {
  const fields = changedFields(before as Document, after as Document);
  // Nearly every change has a new date, so the date is recorded only if nothing else has changed.
  const others = fields.filter(({ name }) => name !== 'last_modified');
  return { resourceType, resourceId, action: 'update', fields: others.length > 0 ? others : fields };
}

/** The field with a source's own record of changes, which is not a change itself. */
const metadataField = 'metadata';

type Document = Record<string, unknown>;

function changedFields(before: Document, after: Document): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => name !== metadataField)
    .map((name) => ({ name, previous: textOf(before, name), replacement: textOf(after, name) }))
    .filter(({ previous, replacement }) => previous !== replacement)
    .map(shorten);
}

/** HSDS stores old and new values as text. A source may call a field `constructor`, which every object has. */
function textOf(document: Document, name: string): string {
  const value = Object.hasOwn(document, name) ? document[name] : undefined;
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Cuts long values around their first difference. Cut at the end, they could look the same. */
function shorten({ name, previous, replacement }: FieldChange): FieldChange {
  const index = firstDifference(previous, replacement);
  const from = index + context <= maxValueLength ? 0 : index - context;
  return { name, previous: part(previous, from), replacement: part(replacement, from) };
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function part(value: string, from: number): string {
  const excerpt = value.slice(from, from + maxValueLength).toWellFormed();
  return `${from > 0 ? '…' : ''}${excerpt}${value.length > from + maxValueLength ? '…' : ''}`;
}
