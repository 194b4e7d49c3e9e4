import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import {
  groupByTaxonomy,
  listTermsToSearchAgain,
  locatePlace,
  readPostcode,
  readPostcodeText,
} from '../../../library/index.ts';
import { type App, page, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import {
  type FindDeps,
  type FindForm,
  findServices,
  formFields,
  maxCompared,
  needsNamedIn,
  nothingTicked,
  readForm,
  reroutePathFrom,
  savedBefore,
  searchWordsForNeeds,
} from '../../../search/index.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { londonDate } from '../../model/due/dates.ts';
import { ageInMonths } from '../../model/person/age.ts';
import { mayTellOfAbuse } from '../../model/person/danger/abuse-at-home.ts';
import { dangerousNeeds, type Need, needs } from '../../model/person/needs.ts';
import { listServicesInRerouteChain } from '../../model/referrals-store.ts';
import type { DraftInput } from '../../model/schemas/new-referral.ts';
import { markResolved } from '../../progress/mark-resolved.ts';
import { referralPagePath, referralSuccess } from '../referral-page-address.ts';
import { readFullReferral } from './view/full-referral.ts';
import { referralView } from './view/referral-view.ts';

type Deps = ReferralDeps & WebPlatform & FindDeps;

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** The button “helped another way” on the referral’s page. */
export function markResolvedPage(app: App, deps: ReferralDeps & WebPlatform): void {
  const config = page(signedIn('referrer'));
  app.get('/referrals/:id/seen-to', { config, schema: { hide: true, params } }, (request, reply) =>
    reply.redirect(referralPagePath(request.params.id), 303),
  );
  app.post('/referrals/:id/seen-to', { config, schema: { hide: true, params } }, async (request, reply) => {
    const { id } = request.params;
    await markResolved(deps, requireCaller(request), { referralId: id, ipAddress: request.ip });
    return reply.redirect(referralSuccess.path(referralPagePath(id), 'seen-to'), 303);
  });
}

/**
 * Finds another service for the person of an unsuccessful referral, as the find page does, without the services that could not help. It
 * begins with what the person needs, or else with the needs for which the service that could not help is listed.
 * Its form is then filled in already.
 */
export function reroutePage(app: App, deps: Deps): void {
  const config = page(signedIn('referrer'));
  app.get('/referrals/:id/reroute', { config, schema: { hide: true, params } }, async (request, reply) => {
    const { id } = request.params;
    const view = referralView(
      deps.settings,
      await readFullReferral(deps, requireCaller(request), id, request.ip),
    );
    if (!view.canReroute) return reply.redirect(referralPagePath(id), 303);
    const base = `${referralPagePath(id)}/reroute`;
    const query = request.query as Record<string, unknown>;
    const form = readForm(query);
    const person = query.asked === 'yes' ? undefined : await searchForPerson(deps, view);
    const path = reroutePathFrom(id);
    const exceptIds = await listServicesInRerouteChain(deps.db, id);
    const find = (form: FindForm) =>
      findServices(deps, form, {
        path,
        exceptIds,
        reroutes: id,
        postcode: readPostcodeText(postcodeOf(view)),
      });
    const formForPerson = { ...form, ...person?.search };
    const { named, isOfReason } = needsOf(view);
    const isFirstSearch = person !== undefined && isUnfiltered(form);
    const starts = isFirstSearch ? await startsOf(deps, view, named) : [];
    const result = (await findForFirst(starts, formForPerson, find)) ?? (await find(formForPerson));
    const here = named.find(({ words }) => words === result.form.search);
    if (result.errors) reply.code(400);
    // A postcode that this site does not know finds nothing, and is still the person's.
    const shown = person ? { ...result.form, postcode: person.postcode } : result.form;
    return deps.pages.send(request, reply, 'referrals/pages/templates/referral/reroute.njk', {
      ...result,
      form: shown,
      area: areaSearched(view, shown),
      otherFields: formFields({ ...shown, page: 1 }).filter(([field]) => !['postcode', 'id'].includes(field)),
      ownAreaHref: path({ ...shown, page: 1, postcode: postcodeOf(view) }),
      person,
      isOfReason,
      isForService: isFirstSearch && result.form.termIds.length > 0,
      needs: named.map((need) => ({
        title: need.title,
        href: path({ ...formForPerson, search: need.words }),
        isHere: need === here,
      })),
      base,
      referral: view.referral,
      name: view.name,
      suggested: view.suggested,
      reason: view.reason,
      wishToStopAt: view.wishToStopAt,
      maxCompared,
      saved: savedBefore(query),
      nothingTicked: query[nothingTicked] !== undefined,
    });
  });
}

type NeedToSearch = { title: string; words: string };

/** What the page searches for before anybody has chosen anything. */
type Start = Partial<Pick<FindForm, 'search' | 'termIds'>>;

function isUnfiltered({ search, termIds }: FindForm): boolean {
  return search === '' && termIds.length === 0;
}

/** The needs of the person one by one, and then all those of the service, unless the person may be in danger. */
async function startsOf(
  { db }: Deps,
  { referral }: ReferralView,
  named: readonly NeedToSearch[],
): Promise<Start[]> {
  const { needs: ticked = [], service_id: serviceId } = referral as {
    needs?: readonly Need[];
    service_id: string | null;
  };
  const ofPerson = named.map(({ words }) => ({ search: words }));
  if (serviceId === null || ticked.some((need) => dangerousNeeds.includes(need))) return ofPerson;
  const terms = await listTermsToSearchAgain(db, serviceId);
  const [kind] = groupByTaxonomy(terms.filter(({ name }) => !mayTellOfAbuse(name)));
  return kind ? [...ofPerson, { termIds: kind.options.map(({ id }) => id) }] : ofPerson;
}

/** What is found for the first of the starts for which something is found. */
async function findForFirst<Found extends { total?: number | undefined }>(
  starts: readonly Start[],
  form: FindForm,
  find: (form: FindForm) => Promise<Found>,
): Promise<Found | undefined> {
  for (const start of starts) {
    const result = await find({ ...form, ...start });
    if ((result.total ?? 0) > 0) return result;
  }
  return undefined;
}

/** What the person was referred for, as far as the reader may know it: the needs that were ticked, or those that the reasons name. */
function needsOf({ referral }: ReferralView): { named: NeedToSearch[]; isOfReason: boolean } {
  const { needs: ticked = [], reasons = [] } = referral as {
    needs?: readonly Need[];
    reasons?: readonly { text?: string }[];
  };
  if (ticked.length > 0) return { named: ticked.flatMap(searchFor), isOfReason: false };
  const sentences = reasons.flatMap(({ text = '' }) => text.split(/[.!?\n]+/));
  const inText = [...new Set(sentences.flatMap(needsNamedIn))];
  // Somebody who is behind with the rent is worried too, but needs help with the rent first.
  const worryLast = inText.toSorted((one, other) => Number(one === 'stress') - Number(other === 'stress'));
  return { named: worryLast.flatMap(searchFor), isOfReason: true };
}

function searchFor(code: Need): NeedToSearch[] {
  const words = searchWordsForNeeds[code];
  return words === undefined ? [] : [{ title: needs[code].title, words }];
}

type ReferralView = ReturnType<typeof referralView>;

function postcodeOf({ referral }: ReferralView): string {
  const { patient } = referral as { patient?: DraftInput['patient'] };
  return patient?.address?.postcode ?? '';
}

/** Where services are looked for, and whether that is where the person lives as the referral says: they may have moved. */
function areaSearched(view: ReferralView, { postcode }: FindForm) {
  const own = postcodeOf(view);
  const asText = (typed: string) => readPostcode(typed)?.text ?? typed.trim().toUpperCase();
  return {
    own,
    searched: asText(postcode),
    isOwn: asText(postcode) === asText(own),
    wasOutside: view.referral.status_reason?.code === 'out-of-area',
  };
}

/** What the referral says of the person that services are found by: `search` is what they can be found by on this site. */
async function searchForPerson(
  { db, clock }: Deps,
  view: ReferralView,
): Promise<{ postcode: string; search: Pick<FindForm, 'postcode' | 'age'> }> {
  const { patient } = view.referral as { patient?: DraftInput['patient'] };
  const postcode = postcodeOf(view);
  const isKnown = postcode !== '' && (await locatePlace(db, postcode)) !== undefined;
  const months = patient?.birth_date && ageInMonths(patient.birth_date, londonDate(clock.now()));
  const age = typeof months === 'number' ? String(Math.floor(months / 12)) : '';
  return { postcode, search: { postcode: isKnown ? postcode : '', age } };
}
