import type { DraftInput } from './new-referral-schema.ts';
import { formOf } from './referral-form.ts';

/**
 * What was typed over something stored, with what the form does not show kept: the codes of reasons that were left as
 * they are, who recorded the consent, and what is re-routed. A client system may have sent those.
 */
export function keepUnseen<T extends DraftInput>(typed: T, stored: DraftInput): T {
  const sameReasons = typed.reasons?.[0]?.text === formOf(stored).reasons;
  const { recorded_by, recorded_at } = stored.consent ?? {};
  return {
    ...typed,
    ...(sameReasons && { reasons: stored.reasons }),
    ...(stored.reroutes !== undefined && { reroutes: stored.reroutes }),
    ...(typed.consent && {
      consent: {
        ...(recorded_by !== undefined && { recorded_by }),
        ...(recorded_at !== undefined && { recorded_at }),
        ...typed.consent,
      },
    }),
  };
}
