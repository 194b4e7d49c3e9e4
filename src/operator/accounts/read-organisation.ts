import {
  isOrganisationKnown,
  listOrganisationNames,
  listSimilarNames,
  type NewAccount,
  type Role,
} from '../../accounts/index.ts';
import { findOrganisationForAccount, listSimilarOrganizations } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { readFields } from '../../platform/html/index.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';

const maxLength = 200;
const maxOffered = 5;

/** Names that a page suggests. More would make it heavy, and any other name can be typed. */
const maxSuggested = 300;

/** The names that the field suggests while somebody types. */
export function listKnownNames(db: Db): Promise<string[]> {
  return listOrganisationNames(db, maxSuggested);
}

type NamedOrganisation = NonNullable<NewAccount['organisation']>;

/** The fields of a form about an organisation: the typed name, and the choice among those offered for that name. */
export type OrganisationForm = {
  organisation: string;
  organisation_offered_for: string;
  organisation_choice: string;
};

export function readOrganisationForm(body: unknown): OrganisationForm {
  return readFields(body, ['organisation', 'organisation_offered_for', 'organisation_choice']);
}

/** The choice to make a new organisation. The other choices are `is:` and an id or a name. */
const createNew = 'new';

/**
 * Finds the organisation that a form names. A name that nobody has yet makes a new organisation only where that was chosen:
 * with a misspelt one, colleagues would not see each other's referrals.
 * @returns the organisation, or a problem for the person who filled in the form.
 */
export async function readOrganisation(
  db: Db,
  roles: readonly Role[],
  form: OrganisationForm,
): Promise<NamedOrganisation | Problem> {
  const { organisation: typed, organisation_choice } = form;
  const choice = form.organisation_offered_for === typed ? organisation_choice : '';
  const named = choice.startsWith('is:') ? choice.slice(3) : typed;
  if (named === '') return badOrganisation('Enter the name of an organisation');
  if ([...named].length > maxLength) return badOrganisation(`must have at most ${maxLength} characters`);
  if (named.includes('\0')) return badOrganisation('must be text');
  const found = await findOrganisationForAccount(db, roles, named);
  if (!found) {
    return badOrganisation(
      'The library has no organisation with exactly this name or id, or more than one with this name: enter its id',
    );
  }
  const exists = found.libraryOrganizationId || (await isOrganisationKnown(db, found.name));
  if (exists || choice === createNew) return found;
  return badOrganisation(
    'This site has no organisation with exactly this name: choose one below, or create it',
  );
}

/** @throws Problem `unprocessable`, saying what to enter. */
export async function requireOrganisation(
  db: Db,
  roles: readonly Role[],
  form: OrganisationForm,
): Promise<NamedOrganisation> {
  const organisation = await readOrganisation(db, roles, form);
  if (organisation instanceof Problem) throw organisation;
  return organisation;
}

type Choice = { value: string; text: string };

/** The choices if no organisation has the typed name: those with similar names, and a new one. */
export async function offerOrganisations(
  db: Db,
  roles: readonly Role[],
  { organisation: typed }: OrganisationForm,
): Promise<Choice[] | undefined> {
  if (typed === '' || [...typed].length > maxLength || typed.includes('\0')) return undefined;
  const found = await findOrganisationForAccount(db, roles, typed);
  if (found && (found.libraryOrganizationId || (await isOrganisationKnown(db, typed)))) return undefined;
  const mayBeNew = !roles.includes('provider');
  const similar = [
    ...(await listSimilarOrganizations(db, typed, maxOffered)).map(({ id, name, similarity }) => ({
      value: `is:${id}`,
      text: `${name} (in the service library)`,
      similarity,
    })),
    ...(mayBeNew ? await listSimilarNames(db, typed, maxOffered) : []).map(({ name, similarity }) => ({
      value: `is:${name}`,
      text: name,
      similarity,
    })),
  ];
  const offered = similar
    .sort((one, other) => other.similarity - one.similarity)
    .slice(0, maxOffered)
    .map(({ value, text }) => ({ value, text }));
  return mayBeNew
    ? [...offered, { value: createNew, text: `Create a new organisation called “${typed}”` }]
    : offered;
}

function badOrganisation(message: string): Problem {
  return new Problem(unprocessable, undefined, { errors: [{ pointer: '/organisation', message }] });
}
