import {
  changeEmail,
  disableAccount,
  enableAccount,
  endLeave,
  inviteAgain,
  leaveLabels,
  loadLeave,
  needsSecondFactor,
  parseLeaveForm,
  readLeaveForm,
  removeSecondFactors,
  roles,
  setApiAccess,
  setLeave,
  setOrganisation,
  setRoles,
  toLeaveForm,
} from '../../accounts/index.ts';
import { readChoices, readFields, readOneOf } from '../../platform/html/index.ts';
import type { App } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { requireReason } from '../../platform/reason.ts';
import { addChangeForm, type ChangeForm } from './change-form.ts';
import {
  listKnownNames,
  offerOrganisations,
  readOrganisationForm,
  requireOrganisation,
} from './read-organisation.ts';

/** The forms with which an operator changes an account. */
export function accountChangePages(app: App, deps: WebPlatform): void {
  const forms = [
    apiAccessForm,
    disabledForm,
    emailForm,
    rolesForm,
    organisationForm,
    invitationForm,
    leaveForm,
    leaveEndForm,
    secondFactorsForm,
  ];
  for (const form of forms) addChangeForm(app, deps, form(deps));
}

/** Switches an account's API access on or off, for a reason. */
function apiAccessForm(deps: WebPlatform): ChangeForm {
  return {
    name: 'api-access',
    about: 'all',
    template: 'operator/accounts/templates/change-api-access.njk',
    labels: { reason: 'Reason' },
    values: ({ hasApiAccess }) => ({ reason: '', switch: hasApiAccess ? 'off' : 'on' }),
    read: (body) => readFields(body, ['reason', 'switch']),
    async change(actor, { id }, body) {
      const to = readOneOf(body, 'switch', ['on', 'off']);
      await setApiAccess(deps, actor, { id }, { isAllowed: to === 'on', reason: requireReasonOf(body) });
      return to;
    },
  };
}

/** Disables an account, or enables it again, for a reason. */
function disabledForm(deps: WebPlatform): ChangeForm {
  return {
    name: 'disabled',
    about: 'all',
    template: 'operator/accounts/templates/change-disabled.njk',
    labels: { reason: 'Reason' },
    values: ({ disabledAt }) => ({ reason: '', switch: disabledAt === null ? 'disable' : 'enable' }),
    read: (body) => readFields(body, ['reason', 'switch']),
    async change(actor, { id }, body) {
      const to = readOneOf(body, 'switch', ['disable', 'enable']);
      const change = to === 'disable' ? disableAccount : enableAccount;
      await change(deps, actor, { id }, requireReasonOf(body));
      return to === 'disable' ? 'disabled' : 'enabled';
    },
  };
}

/** Changes the email address with which somebody signs in, for a reason. */
function emailForm(deps: WebPlatform): ChangeForm {
  const read = (body: unknown) => readFields(body, ['email', 'reason']);
  return {
    name: 'email',
    about: 'people',
    template: 'operator/accounts/templates/change-email.njk',
    labels: { email: 'Email address', reason: 'Reason' },
    values: ({ email }) => ({ email, reason: '' }),
    read,
    async change(actor, { id }, body) {
      const { email, reason } = read(body);
      await changeEmail(deps, actor, { id }, email, requireReason(reason));
      return 'email';
    },
  };
}

/** Changes the roles of an account. */
function rolesForm(deps: WebPlatform): ChangeForm {
  const readRoles = (body: unknown) => roles.filter((role) => readChoices(body, 'roles').includes(role));
  return {
    name: 'roles',
    about: 'all',
    forOthersOnly: true,
    template: 'operator/accounts/templates/change-roles.njk',
    labels: { roles: 'Roles', reason: 'Reason' },
    values: ({ roles }) => ({ roles, reason: '' }),
    read: (body) => ({ ...readFields(body, ['reason']), roles: readRoles(body) }),
    async change(actor, { id }, body) {
      await setRoles(deps, actor, { id }, readRoles(body), requireReasonOf(body));
      return 'roles';
    },
  };
}

/** Moves an account to another organisation. */
function organisationForm(deps: WebPlatform): ChangeForm {
  const read = (body: unknown) => ({ ...readOrganisationForm(body), ...readFields(body, ['reason']) });
  return {
    name: 'organisation',
    about: 'people',
    forOthersOnly: true,
    template: 'operator/accounts/templates/change-organisation.njk',
    labels: { organisation: 'Organisation', reason: 'Reason' },
    values: ({ organisation }) => ({ organisation: organisation?.name ?? '', reason: '' }),
    read,
    extraContext: async () => ({ known: await listKnownNames(deps.db) }),
    suggestions: ({ roles }, body) => offerOrganisations(deps.db, roles, read(body)),
    async change(actor, { id, roles }, body) {
      const { reason, ...form } = read(body);
      const organisation = await requireOrganisation(deps.db, roles, form);
      await setOrganisation(deps, actor, { id }, organisation, requireReason(reason));
      return 'organisation';
    },
  };
}

/** Sends the invitation again to somebody who has not accepted it yet. */
function invitationForm(deps: WebPlatform): ChangeForm {
  return {
    name: 'invitation',
    about: 'people',
    template: 'operator/accounts/templates/send-invitation.njk',
    labels: {},
    values: () => ({}),
    read: () => ({}),
    async change(actor, { email }) {
      await inviteAgain(deps, actor, email);
      return 'invited-again';
    },
  };
}

/** Removes the second factors of somebody who has lost them, for a reason. */
function secondFactorsForm(deps: WebPlatform): ChangeForm {
  return {
    name: 'second-factors',
    about: 'people',
    template: 'operator/accounts/templates/remove-factors.njk',
    ...reasonOnly,
    extraContext: ({ roles }) => ({ setUpNew: needsSecondFactor(deps.settings, roles) }),
    async change(actor, { id }, body) {
      await removeSecondFactors(deps, actor, { id }, requireReasonOf(body));
      return 'second-factors';
    },
  };
}

/** Records when somebody is on leave and who stands in, for a reason. */
function leaveForm(deps: WebPlatform): ChangeForm {
  const read = (body: unknown) => ({ ...readLeaveForm(body), ...readFields(body, ['reason']) });
  return {
    name: 'leave',
    about: 'people',
    template: 'operator/accounts/templates/change-leave.njk',
    labels: { ...leaveLabels, reason: 'Reason' },
    values: async ({ id }) => ({ ...toLeaveForm((await loadLeave(deps, id)).leave), reason: '' }),
    extraContext: ({ id }) => loadLeave(deps, id),
    read,
    async change(actor, { id }, body) {
      const { reason, ...form } = read(body);
      await setLeave(deps, actor, { id }, parseLeaveForm(form), requireReason(reason));
      return 'leave';
    },
  };
}

/** Ends somebody's leave early, for a reason. */
function leaveEndForm(deps: WebPlatform): ChangeForm {
  return {
    name: 'leave-end',
    about: 'people',
    template: 'operator/accounts/templates/end-leave.njk',
    ...reasonOnly,
    async change(actor, { id }, body) {
      await endLeave(deps, actor, { id }, requireReasonOf(body));
      return 'leave-ended';
    },
  };
}

/** The parts of a form that asks for a reason and nothing else. */
const reasonOnly = {
  labels: { reason: 'Reason' },
  values: () => ({ reason: '' }),
  read: (body: unknown) => readFields(body, ['reason']),
};

/** Reads the reason in a form. @throws Problem `unprocessable` if there is none, or it is too short. */
function requireReasonOf(body: unknown): string {
  return requireReason(readFields(body, ['reason']).reason);
}
