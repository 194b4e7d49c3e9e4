import { Type } from 'typebox';
import { type Caller, requireCaller } from '../../accounts/index.ts';
import { type App, noOtherFields, page, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { findCapturedCall, listCapturedCalls } from './captured-calls-store.ts';

const pageSize = 25;
const config = page(signedIn());
const number = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** The calls to webhooks that a test site would have made. A live site has no such pages. */
export function capturedCallPages(app: App, deps: WebPlatform): void {
  const querystring = Type.Object({ before: Type.Optional(number) }, noOtherFields);
  app.get('/outbox/calls', { config, schema: { querystring } }, async (request, reply) => {
    const { before } = request.query;
    const holder = visibleHolder(requireCaller(request));
    const rows = await listCapturedCalls(deps.db, holder, { before, limit: pageSize + 1 });
    const calls = rows.slice(0, pageSize);
    const older = rows.length > pageSize ? calls.at(-1)!.number : undefined;
    return deps.pages.send(request, reply, 'webhooks/templates/captured-calls.njk', { calls, older, before });
  });

  const params = Type.Object({ number });
  app.get('/outbox/calls/:number', { config, schema: { params } }, async (request, reply) => {
    const call = await findCapturedCall(
      deps.db,
      visibleHolder(requireCaller(request)),
      request.params.number,
    );
    if (!call) throw new Problem(notFound);
    return deps.pages.send(request, reply, 'webhooks/templates/captured-call.njk', { call });
  });
}

/** Whose calls somebody sees: operators see all (null), and everybody else those to their own webhooks. */
function visibleHolder({ roles, accountId }: Caller) {
  return { accountId: roles.includes('operator') ? null : accountId };
}
