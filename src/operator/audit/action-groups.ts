import type { AuditAction } from '../../audit/index.ts';

/** The tabs of the audit, in their order, by the name in the address. */
export const groupNames = {
  referrals: 'Referrals',
  messages: 'Messages',
  records: 'People’s records',
  accounts: 'Accounts',
  library: 'Library',
  site: 'Site',
} as const;

export type ActionGroup = keyof typeof groupNames;

type Subject<Action> = Action extends `${infer Noun}.${string}` ? Noun : never;

/** The tab for what was done, by the noun with which its action begins. */
const groups: Readonly<Record<Subject<AuditAction>, ActionGroup>> = {
  account: 'accounts',
  account_claim: 'accounts',
  'answer-link': 'referrals',
  attempt: 'accounts',
  audit: 'site',
  captured_mail: 'messages',
  captured_message: 'messages',
  delivery: 'messages',
  delivery_address: 'messages',
  developer_request: 'accounts',
  home: 'referrals',
  identity: 'accounts',
  key: 'accounts',
  keys: 'accounts',
  library: 'library',
  link: 'accounts',
  list: 'library',
  looks: 'records',
  loose_end: 'messages',
  'nhs-number': 'records',
  offline_copy: 'referrals',
  organisation: 'accounts',
  patient: 'records',
  person_page: 'referrals',
  postcodes: 'library',
  practice: 'library',
  practices: 'library',
  record_copy: 'records',
  record_request: 'records',
  recovery_codes: 'accounts',
  referral: 'referrals',
  report: 'site',
  return_address: 'accounts',
  route: 'accounts',
  search_synonym: 'library',
  second_factor: 'accounts',
  'self-referral': 'referrals',
  service: 'library',
  'service-list': 'library',
  session: 'accounts',
  simulator: 'site',
  site: 'site',
  system: 'accounts',
  token: 'accounts',
  webhook: 'accounts',
  worklist: 'messages',
};

export function isActionGroup(text: string | undefined): text is ActionGroup {
  return text !== undefined && Object.hasOwn(groupNames, text);
}

/** Which of these actions belong to a group; those of earlier versions may belong to none. */
export function actionsOf(group: ActionGroup, actions: readonly string[]): string[] {
  return actions.filter((action) => {
    const noun = action.split('.', 1)[0]!;
    return Object.hasOwn(groups, noun) && groups[noun as keyof typeof groups] === group;
  });
}
