import { withoutUndefined } from '../../platform/objects.ts';
import { type Draft, type Referral, type SafeContact, withoutInternalFields } from '../model/referral.ts';
import type { DraftInput } from '../model/schemas/new-referral.ts';

/** What a client system would send to make this referral or draft. */
export function draftInputOf(referral: Referral | Draft): DraftInput {
  const { content, gp_practice: practice, service_id, urgency, reroutes } = referral;
  const {
    referrer,
    death_mistake: _mistake,
    suggested_service: _suggested,
    contacts: _contacts,
    appointments: _appointments,
    measures: _measures,
    ...fields
  } = withoutInternalFields(content as Draft['content']);
  return {
    ...fields,
    // Otherwise the form would show an answer that nobody gave.
    ...(content.urgency_not_asked !== true && { urgency }),
    ...withoutUndefined({
      service_id: service_id ?? undefined,
      reroutes: reroutes ?? undefined,
      gp_practice: practice ? { ods_code: practice.ods_code } : undefined,
      referrer: withoutUndefined({ on_behalf_of: referrer.on_behalf_of }),
    }),
  } as DraftInput;
}

/** The same person and reasons, without what was asked for the first service alone. */
export function inputForReroute(referral: Referral | Draft): DraftInput {
  const {
    consent: _consent,
    agreement: _agreement,
    risk: _risk,
    risk_acted_on: _actedOn,
    fit_override: _fitOverride,
    contact_override: _contactOverride,
    urgency_override: _urgencyOverride,
    made_at: _madeAt,
    contact,
    person_page: _page,
    gp_actions: _gpActions,
    // Left out: the new referral continues what the first one began, whose letters tell whether it was coded.
    episode: _episode,
    source: _source,
    method: _method,
    ...input
  } = draftInputOf(referral);
  // Results are what the first service reported.
  const goals = input.goals?.map(({ result: _result, ...goal }) => goal);
  const wasAsked = contact && (contact as Partial<SafeContact>).safe !== 'not_asked';
  return { ...input, ...(goals && { goals }), ...(wasAsked && { contact }), reroutes: referral.id };
}
