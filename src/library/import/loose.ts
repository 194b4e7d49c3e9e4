import { type Static, Type } from 'typebox';
import { organization } from '../hsds/organization.ts';
import { taxonomy, taxonomyTerm } from '../hsds/parts.ts';

/**
 * What the library holds and no service carries: organisations without services, terms and taxonomies that are not in
 * use. HSDS has no lines for them beside services, so an export gives each a line that says what it is:
 * `{"organization": {…}}`. Readers that know services alone refuse just these.
 */
export const looseSchemas = {
  organization: Type.Object({ organization }),
  taxonomy: Type.Object({ taxonomy }),
  taxonomy_term: Type.Object({ taxonomy_term: taxonomyTerm }),
};

export type LooseKind = keyof typeof looseSchemas;
export type Loose = {
  [Kind in LooseKind]: {
    kind: Kind;
    thing: Static<(typeof looseSchemas)[Kind]>[Kind & keyof Static<(typeof looseSchemas)[Kind]>];
  };
}[LooseKind];

/** Which of them a record is, if it is one. */
export function looseKind(value: object): LooseKind | undefined {
  const [key, ...more] = Object.keys(value);
  return more.length === 0 && key !== undefined && Object.hasOwn(looseSchemas, key)
    ? (key as LooseKind)
    : undefined;
}

export function isLoose(value: unknown): boolean {
  return typeof value === 'object' && value !== null && looseKind(value) !== undefined;
}
