import {
  actorOf,
  checkNewSystem,
  createSystem,
  findAccountByEmail,
  listPossibleOwners,
  type NewSystem,
  requireCaller,
  systemRoles,
  transferSystem,
} from '../../accounts/index.ts';
import { readChoices, readFields, toFormErrors } from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { Problem, requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import { requireReason } from '../../platform/reason.ts';
import { accountDone, addChangeForm } from './change-form.ts';
import {
  listKnownNames,
  offerOrganisations,
  readOrganisation,
  readOrganisationForm,
} from './read-organisation.ts';

const path = '/operator/accounts/new-system';
const template = 'operator/accounts/templates/new-system.njk';
const labels = { name: 'Name', roles: 'Roles', organisation: 'Organisation', owner: 'Owner' };

/** The page to make the account of a system, which is not a person. */
export function systemNewPage(app: App, deps: WebPlatform): void {
  const config = page(signedIn('operator'), { needsRecentSignIn: true });
  const show = async (request: Request, reply: Reply, context: Record<string, unknown>) =>
    deps.pages.send(request, reply, template, { ...context, known: await listKnownNames(deps.db) });

  app.get(path, { config }, (request, reply) => show(request, reply, { values: { roles: ['referrer'] } }));

  app.post(path, { config, schema: { body: anyForm } }, async (request, reply) => {
    const values = readForm(request.body);
    try {
      const id = await create(deps, request, values);
      return reply.redirect(accountDone.path(`/operator/accounts/${id}`, 'system'), 303);
    } catch (error) {
      requireRefusal(error);
      reply.code(error.kind.status);
      const offered = await offerOrganisations(deps.db, values.roles, values);
      return show(request, reply, { values, errors: toFormErrors(labels, error), offered });
    }
  });
}

type SystemForm = ReturnType<typeof readForm>;

function readForm(body: unknown) {
  return {
    ...readFields(body, ['name', 'owner']),
    ...readOrganisationForm(body),
    roles: systemRoles.filter((role) => readChoices(body, 'roles').includes(role)),
  };
}

/** Makes the account of a system from a form. @returns its id. @throws Problem with everything that is wrong. */
async function create(deps: WebPlatform, request: Request, form: SystemForm): Promise<string> {
  const { name, roles, owner } = form;
  const errors = checkNewSystem({ name, roles });
  const organisation = await readOrganisation(deps.db, roles, form);
  if (organisation instanceof Problem) errors.push(...(organisation.errors ?? []));
  const ownerId = await findPersonId(deps, owner);
  if (ownerId === undefined)
    errors.push({
      pointer: '/owner',
      message: 'Enter the email address of somebody who has an account here',
    });
  if (errors.length > 0 || organisation instanceof Problem || ownerId === undefined)
    throw new Problem(unprocessable, undefined, { errors });
  const system: NewSystem = { name, roles, organisation, ownerId };
  return createSystem(deps, actorOf(requireCaller(request), request.ip), system);
}

async function findPersonId({ db }: WebPlatform, email: string): Promise<string | undefined> {
  if (email === '' || email.includes('\0')) return undefined;
  const account = await findAccountByEmail(db, canonicalEmail(email));
  return account?.isSystem === false ? account.id : undefined;
}

/** Gives a system account another owner, for a reason, even if it has none now. */
export function systemOwnerPage(app: App, deps: WebPlatform): void {
  const read = (body: unknown) => readFields(body, ['owner', 'reason']);
  addChangeForm(app, deps, {
    name: 'owner',
    about: 'systems',
    template: 'operator/accounts/templates/change-owner.njk',
    labels: { owner: 'Owner', reason: 'Reason' },
    values: ({ ownerId }) => ({ owner: ownerId ?? '', reason: '' }),
    extraContext: async ({ organisation, roles }) => ({
      people: await listPossibleOwners(deps.db, { organisationId: organisation!.id, roles }),
    }),
    read,
    async change(actor, { id }, body) {
      const { owner, reason } = read(body);
      await transferSystem(deps, actor, id, owner, requireReason(reason));
      return 'owner';
    },
  });
}
