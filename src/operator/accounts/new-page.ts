import { Type } from 'typebox';
import {
  actorOf,
  checkNewAccount,
  inviteAccount,
  type Role,
  requireCaller,
  roles,
} from '../../accounts/index.ts';
import type { Actor } from '../../audit/index.ts';
import { readChoices, readFields, toFormErrors } from '../../platform/html/index.ts';
import { type App, anyForm, page, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { Problem, requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import { accountDone } from './change-form.ts';
import {
  listKnownNames,
  type OrganisationForm,
  offerOrganisations,
  readOrganisation,
  readOrganisationForm,
} from './read-organisation.ts';

const path = '/operator/accounts/new';
const template = 'operator/accounts/templates/new-account.njk';
const labels = { name: 'Name', email: 'Email address', roles: 'Roles', organisation: 'Organisation' };

type NewAccountForm = OrganisationForm & {
  name: string;
  email: string;
  roles: Role[];
  hasApiAccess: boolean;
};

/** The page to invite somebody: it makes their account, and emails them a link to choose a password. */
export function accountNewPage(app: App, deps: WebPlatform): void {
  const config = page(signedIn('operator'), { needsRecentSignIn: true });

  const querystring = Type.Object({ organisation: Type.Optional(Type.String({ maxLength: 200 })) });
  app.get(path, { config, schema: { querystring } }, async (request, reply) =>
    deps.pages.send(request, reply, template, {
      values: { roles: [], organisation: request.query.organisation },
      known: await listKnownNames(deps.db),
    }),
  );

  app.post(path, { config, schema: { body: anyForm } }, async (request, reply) => {
    const values = readNewAccountForm(request.body);
    try {
      const id = await invite(deps, actorOf(requireCaller(request), request.ip), values);
      return reply.redirect(accountDone.path(`/operator/accounts/${id}`, 'invited'), 303);
    } catch (error) {
      requireRefusal(error);
      reply.code(error.kind.status);
      const offered = await offerOrganisations(deps.db, values.roles, values);
      return deps.pages.send(request, reply, template, {
        values,
        errors: toFormErrors(labels, error),
        offered,
        known: await listKnownNames(deps.db),
      });
    }
  });
}

function readNewAccountForm(body: unknown): NewAccountForm {
  return {
    ...readFields(body, ['name', 'email']),
    ...readOrganisationForm(body),
    roles: roles.filter((role) => readChoices(body, 'roles').includes(role)),
    hasApiAccess: readChoices(body, 'api_access').includes('on'),
  };
}

/** Invites the person in a form. @returns the account's id. @throws Problem with everything that is wrong. */
async function invite(deps: WebPlatform, actor: Actor, form: NewAccountForm): Promise<string> {
  const {
    organisation: organisationText,
    organisation_choice: _,
    organisation_offered_for: __,
    ...account
  } = form;
  const errors = checkNewAccount(account);
  if (account.roles.length === 0) errors.push({ pointer: '/roles', message: 'Select at least one role' });
  // Without a role nobody knows yet, so the organisation is asked for at once and not at the second try.
  const isOptional =
    account.roles.length > 0 && account.roles.every((role) => role === 'operator' || role === 'manager');
  const hasNone = organisationText === '' && isOptional;
  const organisation = hasNone ? undefined : await readOrganisation(deps.db, account.roles, form);
  if (organisation instanceof Problem) errors.push(...(organisation.errors ?? []));
  if (errors.length > 0 || organisation instanceof Problem)
    throw new Problem(unprocessable, undefined, { errors });
  return inviteAccount(deps, actor, { ...account, organisation });
}
