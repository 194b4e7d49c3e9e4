import { listDataSharingDetails, searchAccounts } from '../accounts/index.ts';
import { servicePath } from '../library/index.ts';
import type { Db } from '../platform/database/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { settingsInForce } from '../platform/settings/index.ts';
import { findSentReferral, findServicesByName } from './find-store.ts';

/** Results of each kind on the page. A kind with more of them links to the page that lists them all. */
const maxOfKind = 8;

type SearchResult = { text: string; more?: string | undefined; href: string };
type ResultGroup = { heading: string; rows: SearchResult[]; allHref?: string | undefined };

/** Searches accounts, organisations, services and settings for a text, and referrals for a reference, for the page Admin. */
export async function searchForOperator(deps: WebPlatform, text: string): Promise<ResultGroup[]> {
  const { db, settings } = deps;
  const query = new URLSearchParams({ text });
  const kinds: ResultGroup[] = [
    { heading: 'Referrals', rows: await findReferral(db, text) },
    groupOf('Accounts', await findAccounts(db, text), `/operator/accounts?${query}`),
    groupOf(
      'Organisations',
      await findOrganisations(db, text),
      `/operator/organisations?${new URLSearchParams({ name: text })}`,
    ),
    groupOf('Services', await findServices(db, text), `/services?${new URLSearchParams({ search: text })}`),
    groupOf('Settings', findSettings(settings, text), '/operator/settings'),
  ];
  return kinds.filter(({ rows }) => rows.length > 0);
}

function groupOf(heading: string, results: SearchResult[], allHref: string): ResultGroup {
  return {
    heading,
    rows: results.slice(0, maxOfKind),
    allHref: results.length > maxOfKind ? allHref : undefined,
  };
}

async function findReferral(db: Db, text: string): Promise<SearchResult[]> {
  const letters = text.toUpperCase().replaceAll(/[^\dA-Z]/g, '');
  const referral = await findSentReferral(db, `${letters.slice(0, 5)}-${letters.slice(5)}`);
  return referral ? [{ text: referral.reference, href: `/referrals/${referral.id}` }] : [];
}

async function findAccounts(db: Db, text: string): Promise<SearchResult[]> {
  const accounts = await searchAccounts(db, { text, limit: maxOfKind + 1 });
  return accounts.map(({ id, name, email, isSystem, organisation }) => ({
    text: name,
    more: [isSystem ? 'system account' : email, organisation?.name].filter(Boolean).join(', '),
    href: `/operator/accounts/${id}`,
  }));
}

async function findOrganisations(db: Db, name: string): Promise<SearchResult[]> {
  const organisations = await listDataSharingDetails(db, { name, limit: maxOfKind + 1 });
  return organisations.map(({ id, name }) => ({ text: name, href: `/operator/organisations/${id}` }));
}

async function findServices(db: Db, text: string): Promise<SearchResult[]> {
  const services = await findServicesByName(db, text, maxOfKind + 1);
  return services.map(({ id, name, organization, status }) => ({
    text: name,
    more: [organization, status === 'active' ? undefined : status].filter(Boolean).join(', '),
    href: servicePath(id),
  }));
}

function findSettings(settings: WebPlatform['settings'], text: string): SearchResult[] {
  const lowerText = text.toLowerCase();
  return settingsInForce(settings)
    .flatMap((group) => group.settings)
    .filter(({ variable, meaning }) =>
      `${variable} ${variable.replaceAll('_', ' ')} ${meaning}`.toLowerCase().includes(lowerText),
    )
    .map(({ variable, meaning }) => ({
      text: variable,
      more: meaning.replaceAll('`', ''),
      href: `/operator/settings#${variable}`,
    }));
}
