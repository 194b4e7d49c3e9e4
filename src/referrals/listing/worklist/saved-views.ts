import type { Caller } from '../../../accounts/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { isUuid, newId } from '../../../platform/ids/index.ts';
import { notFound, Problem, unprocessable } from '../../../platform/problem/index.ts';
import { cleanText } from '../../../platform/visible-text.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import {
  deleteSavedView,
  insertSavedView,
  lockSavedViews,
  type SavedView,
  updateSavedViewName,
} from './saved-views-store.ts';

// A view is the choice of one person and says nothing about others, so it is not in the audit.

type Deps = Pick<ReferralDeps, 'db' | 'clock'>;

/** More would not be found again in a line of links. */
export const maxSavedViews = 12;
const maxNameLength = 40;

/**
 * Keeps a worklist under a name, for the caller alone.
 * @param query what the address of the list says
 * @throws Problem `unprocessable` for the name, or if the caller has too many
 */
export function saveView(
  { db, clock }: Deps,
  { accountId }: Caller,
  { name: typed, query }: { name: string; query: string },
): Promise<SavedView> {
  const at = clock.now();
  const view = { id: newId(at.getTime()), name: requireName(typed), query };
  return inTransaction(db, async (trx) => {
    const others = await lockSavedViews(trx, accountId);
    if (others.length >= maxSavedViews)
      throw viewProblem(`You have ${maxSavedViews} saved views. Delete one to save another`);
    requireFreeName(others, view);
    await insertSavedView(trx, accountId, { ...view, at });
    return view;
  });
}

/** @throws Problem `unprocessable` for the name, `not-found` */
export async function renameView(
  { db }: Deps,
  { accountId }: Caller,
  { id, name: typed }: { id: string; name: string },
): Promise<void> {
  const name = requireName(typed);
  await inTransaction(db, async (trx) => {
    const views = await lockSavedViews(trx, accountId);
    if (!views.some((each) => each.id === id)) throw new Problem(notFound);
    requireFreeName(views, { id, name });
    await updateSavedViewName(trx, id, name);
  });
}

/** Deletes a view of the caller. It is no error if it is gone already, as after a second press of the button. */
export async function removeView({ db }: Deps, { accountId }: Caller, id: string): Promise<void> {
  if (isUuid(id)) await deleteSavedView(db, accountId, id);
}

/** The name as it is stored. @throws Problem `unprocessable` */
function requireName(typed: string): string {
  const name = cleanText(typed).replaceAll(/\s+/g, ' ');
  if (name === '') throw viewProblem('Enter a name for this view');
  if ([...name].length > maxNameLength) throw viewProblem(`Use ${maxNameLength} characters or fewer`);
  return name;
}

/** @throws Problem `unprocessable` if another view of the account has the name */
function requireFreeName(views: readonly SavedView[], { id, name }: { id: string; name: string }): void {
  const isTaken = views.some((each) => each.id !== id && each.name.toLowerCase() === name.toLowerCase());
  if (isTaken) throw viewProblem('You have a view with this name. Choose another name');
}

function viewProblem(message: string): Problem {
  return new Problem(unprocessable, 'See `errors` for what to change.', {
    errors: [{ pointer: '/name', message }],
  });
}
