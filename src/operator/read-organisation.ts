import type { NewAccount, Role } from '../accounts/index.ts';
import { findOrganisation } from '../library/index.ts';
import type { Db } from '../platform/database/index.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';

const longest = 200;

type NamedOrganisation = NonNullable<NewAccount['organisation']>;

/** The organisation that a form names, or what to tell whoever named it. */
export async function readOrganisation(
  db: Db,
  roles: readonly Role[],
  named: string,
): Promise<NamedOrganisation | Problem> {
  if (named === '') return refusal('Enter the name of an organisation');
  if ([...named].length > longest) return refusal(`must have at most ${longest} characters`);
  const found = await findOrganisation(db, roles, named);
  return (
    found ??
    refusal(
      'The library has no organisation with exactly this name or id, or more than one with this name: enter its id',
    )
  );
}

/** @throws Problem `unprocessable`, saying what to enter. */
export async function requireOrganisation(
  db: Db,
  roles: readonly Role[],
  named: string,
): Promise<NamedOrganisation> {
  const organisation = await readOrganisation(db, roles, named);
  if (organisation instanceof Problem) throw organisation;
  return organisation;
}

function refusal(message: string): Problem {
  return new Problem(unprocessable, undefined, { errors: [{ pointer: '/organisation', message }] });
}
