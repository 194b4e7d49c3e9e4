import { requireCaller } from '../../../accounts/index.ts';
import { changedFormProblem, readUntrimmedFields, trimToUndefined } from '../../../platform/html/index.ts';
import { type App, anyForm, type Request } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { availabilities, maxWaitingTimeLength } from '../../model/availability.ts';
import { servicePath } from '../../view/links.ts';
import { markChecked, setAvailability } from '../state/set-availability.ts';
import { editConfig, idParams } from './edit-pages.ts';
import { savedBanner } from './manage-view.ts';

/** The buttons on a service's page and in the review list. */
export function statePages(app: App, deps: WebPlatform): void {
  const schema = { params: idParams, body: anyForm };
  app.post('/services/:id/capacity', { config: editConfig, schema }, async (request, reply) => {
    const { id } = request.params;
    const { status, waiting_time } = readUntrimmedFields(request.body, ['status', 'waiting_time']);
    if (!availabilities.some((each) => each === status)) {
      throw changedFormProblem();
    }
    // Only a waiting list has a waiting time.
    const typed = trimToUndefined(waiting_time)?.slice(0, maxWaitingTimeLength);
    const waits = status === 'waitlist' ? typed : undefined;
    const change = { id, ipAddress: request.ip, availability: { status, waiting_time: waits ?? null } };
    await setAvailability(deps, requireCaller(request), change);
    return reply.redirect(back(request, id, waits === typed ? 'availability' : 'availability-only'), 303);
  });

  app.post('/services/:id/checked', { config: editConfig, schema }, async (request, reply) => {
    const { id } = request.params;
    await markChecked(deps, requireCaller(request), { id, ipAddress: request.ip });
    return reply.redirect(back(request, id, 'checked'), 303);
  });
}

/** The lists that have these buttons. A form can send people back to nothing else. */
const pathsWithButtons =
  /^(\/|\/library(\/review)?|\/operator\/library\/review(\?((source=[0-9a-f-]{36})(&organization=[\w.*%+-]+)?|organization=[\w.*%+-]+))?)$/;

/** Back to the list with the button, or else to the service's page. Each says what was done. */
function back({ body }: Request, id: string, done: Parameters<typeof savedBanner.path>[1]): string {
  const { from } = readUntrimmedFields(body, ['from']);
  if (!pathsWithButtons.test(from)) return savedBanner.path(servicePath(id), done);
  return from.includes('?') ? `${from}&done=${done}` : savedBanner.path(from, done);
}
