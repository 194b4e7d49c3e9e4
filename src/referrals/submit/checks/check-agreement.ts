import type { FieldError } from '../../../platform/problem/index.ts';
import { ageInMonths } from '../../model/person/age.ts';
import type { NewReferral } from '../../model/schemas/new-referral.ts';

const adult = 18 * 12;
/** In months. From then on somebody is presumed able to agree for themselves (Family Law Reform Act 1969, section 8). */
const ownConsent = 16 * 12;

/** Whether the basis of the agreement is one for somebody of this age, and says what it has to. */
export function agreementErrors(
  { agreement, patient }: Pick<NewReferral, 'agreement' | 'patient'>,
  today: string,
): FieldError[] {
  if (!agreement) return [];
  const { basis, judged_by, when, decided_by } = agreement;
  const months = ageInMonths(patient.birth_date, today);
  const error = (message: string, code: string) => [{ pointer: '/agreement/basis', message, code }];
  if (basis === 'person' && months < ownConsent)
    return error('must say who agreed, because the person is under 16', 'under-16');
  if ((basis === 'parental_responsibility' || basis === 'competent_child') && months >= adult)
    return error('is for somebody under 18', 'not-a-child');
  if (basis === 'attorney_or_deputy' && months < ownConsent)
    return error('is for somebody of 16 or over', 'a-child');
  const missing = (name: string) => ({
    pointer: `/agreement/${name}`,
    message: `is required with ${basis}`,
    code: 'required',
  });
  if (basis === 'competent_child')
    return [...(judged_by ? [] : [missing('judged_by')]), ...(when ? [] : [missing('when')])];
  if (basis === 'best_interests' && !decided_by) return [missing('decided_by')];
  return [];
}

/** What an agreement rests on where the client did not say: from 16 on, the person. */
export function basisWhenLeftOut(birthDate: string, today: string): 'person' | 'not_asked' {
  return ageInMonths(birthDate, today) < ownConsent ? 'not_asked' : 'person';
}
