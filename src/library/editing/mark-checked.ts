import type { Caller } from '../../accounts/index.ts';
import { localTime } from '../hours/local-time.ts';
import type { Dated } from '../send-answer.ts';
import type { EditDeps } from './deps.ts';
import { editService } from './edit-service.ts';

/**
 * Notes that somebody looked at the entry today and found it right: HSDS's `assured_date`, and in `assurer_email` how to
 * reach those who said so. Of a provider that is their organisation's address, if the library has one.
 * @throws Problem `not-found`, `forbidden`.
 */
export function markChecked(
  deps: EditDeps,
  caller: Caller,
  { id, address }: { id: string; address: string },
): Promise<Dated> {
  return editService(deps, caller, { id, address, action: 'service.checked' }, (service, at) => ({
    ...service,
    assured_date: localTime(at).day.date,
    assurer_email: (!caller.roles.includes('operator') && service.organization?.email) || caller.email,
  }));
}
