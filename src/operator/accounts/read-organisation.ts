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
 * Finds the organisation that a form names. A new name makes a new organisation only if the form says so: with a misspelt name,
 * colleagues would not see each other's referrals.
 * @returns the organisation, or a problem for the person who filled in the form.
 */
export async function readOrganisation(
  db: Db,
  roles: readonly Role[],
  form: OrganisationForm,
): Promise<NamedOrganisation | Problem> {
  const { organisation: text, organisation_choice } = form;
  // A choice counts only for the text for which it was offered.
  const choice = form.organisation_offered_for === text ? organisation_choice : '';
  const nameOrId = choice.startsWith('is:') ? choice.slice(3) : text;
  if (nameOrId === '') return organisationProblem('Enter the name of an organisation');
  if ([...nameOrId].length > maxLength)
    return organisationProblem(`must have at most ${maxLength} characters`);
  if (nameOrId.includes('\0')) return organisationProblem('must be text');
  const organisation = await findOrganisationForAccount(db, roles, nameOrId);
  if (!organisation) {
    return organisationProblem(
      'The library has no organisation with exactly this name or id, or more than one with this name: enter its id',
    );
  }
  const exists = organisation.libraryOrganizationId || (await isOrganisationKnown(db, organisation.name));
  if (exists || choice === createNew) return organisation;
  return organisationProblem(
    'This site has no organisation with exactly this name: choose one below, or create it',
  );
}

/** Finds the organisation that a form names. @throws Problem `unprocessable`, which says what to enter. */
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

/** The choices if no organisation has exactly this name or id: those with similar names, and a new one. */
export async function offerOrganisations(
  db: Db,
  roles: readonly Role[],
  { organisation: text }: OrganisationForm,
): Promise<Choice[] | undefined> {
  if (text === '' || [...text].length > maxLength || text.includes('\0')) return undefined;
  const organisation = await findOrganisationForAccount(db, roles, text);
  if (organisation && (organisation.libraryOrganizationId || (await isOrganisationKnown(db, text))))
    return undefined;
  const mayBeNew = !roles.includes('provider');
  const similar = [
    ...(await listSimilarOrganizations(db, text, maxOffered)).map(({ id, name, similarity }) => ({
      value: `is:${id}`,
      text: `${name} (in the service library)`,
      similarity,
    })),
    ...(mayBeNew ? await listSimilarNames(db, text, maxOffered) : []).map(({ name, similarity }) => ({
      value: `is:${name}`,
      text: name,
      similarity,
    })),
  ];
  const choices = similar
    .sort((one, other) => other.similarity - one.similarity)
    .slice(0, maxOffered)
    .map(({ value, text }) => ({ value, text }));
  return mayBeNew
    ? [...choices, { value: createNew, text: `Create a new organisation called “${text}”` }]
    : choices;
}

function organisationProblem(message: string): Problem {
  return new Problem(unprocessable, undefined, { errors: [{ pointer: '/organisation', message }] });
}
