import { Type } from 'typebox';
import { hostCookie } from '../../accounts/index.ts';
import { recordRefusalOncePerMinute, strangerAt } from '../../audit/index.ts';
import { readFields } from '../../platform/html/index.ts';
import { type App, anyForm, anyone, page, type Reply, type Request } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, unprocessable } from '../../platform/problem/index.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { type PersonAnswer, visitMs } from '../model/person-page/person-page.ts';
import { lastSaid, listPersonAnswers } from '../model/person-page/person-pages-store.ts';
import { answerAsPerson, canAskToStop, canSayWhetherHelped } from './answer-as-person.ts';
import { enterCode, leavePersonPage, openPersonPage, requestCode } from './visit.ts';
import { whereItStands } from './where-it-stands.ts';

type Deps = ReferralDeps & WebPlatform;

/** It ends by itself, because others may use the same telephone. */
const visitCookie = hostCookie('onward-my', visitMs);

const template = (name: string) => `referrals/person-page/templates/${name}.njk`;

/**
 * The person’s own page. Opening the link changes nothing, because mail scanners open every link, and it shows that there is a message and
 * nothing else. The page that “Leave this page” leads to is one that anybody may have open.
 */
export function personPages(app: App, deps: Deps): void {
  const config = page(anyone, { countsAsCall: true, secretInAddress: true });
  const params = Type.Object({ secret: Type.String({ maxLength: 200 }) });
  const schema = { hide: true, params } as const;
  const path = '/my/:secret';
  const tokenOf = (request: Request) => visitCookie.read(request, deps.settings);

  app.get(path, { config, schema }, (request, reply) => show(request, reply));

  // Every form goes to the address of the page, so that no page holds the secret.
  app.post(path, { config, schema: { ...schema, body: anyForm } }, async (request, reply) => {
    const { secret } = request.params;
    const { step, code } = readFields(request.body, ['step', 'code']);
    if (step === 'leave') {
      await leavePersonPage(deps, tokenOf(request));
      visitCookie.clear(reply, deps.settings);
      // The content security policy blocks a redirect to another site after a form.
      reply.header('refresh', `0; url=${elsewhere}`);
      return deps.pages.send(request, reply, template('left'), { elsewhere });
    }
    if (step === 'code') await requestCode(deps, secret);
    if (step === 'open') {
      const entered = await enterCode(deps, secret, { typed: code, ipAddress: request.ip });
      if (entered.result === 'wrong' || entered.result === 'expired')
        return show(request, reply, codeErrors[entered.result]);
      if (entered.result === 'opened') visitCookie.set(reply, deps.settings, entered.token);
    }
    const answer = answers[step];
    if (answer)
      await answerAsPerson(deps, secret, { token: tokenOf(request), answer, ipAddress: request.ip });
    return reply.redirect(`/my/${encodeURIComponent(secret)}`, 303);
  });

  async function show(
    request: Request & { params: { secret: string } },
    reply: Reply,
    error?: string,
  ): Promise<Reply> {
    const { pages, settings } = deps;
    const opened = await openPersonPage(deps, request.params.secret, tokenOf(request));
    const common = { canLeave: true };
    if (opened.state === 'closed') {
      await recordRefusalOncePerMinute(deps, {
        actor: strangerAt(request.ip),
        action: 'person_page.link_refused',
      });
      return pages.send(request, reply.code(notFound.status), template('closed'), {});
    }
    if (opened.state === 'message') {
      if (error !== undefined) reply.code(unprocessable.status);
      return pages.send(request, reply, template('message'), { ...common, ...opened, error });
    }
    const { referral } = opened;
    const said = (await listPersonAnswers(deps.db, [referral.id])).get(referral.id) ?? [];
    const { ofHelp, toStop } = lastSaid(said);
    return pages.send(request, reply, template('page'), {
      ...common,
      ...(await whereItStands(deps, referral)),
      operatorContact: settings.operatorContact,
      canStop: canAskToStop(referral),
      canSayWhetherHelped: canSayWhetherHelped(referral),
      askedToStopAt: toStop?.at,
      saidOfHelp: ofHelp?.answer,
    });
  }
}

/** A page that anybody may have open. */
const elsewhere = 'https://www.bbc.co.uk/weather';

const answers: Readonly<Record<string, PersonAnswer>> = {
  helped: 'got-help',
  'not-helped': 'did-not-get-help',
  stop: 'no-longer-wanted',
};

const codeErrors = {
  wrong: 'The code is not right. Enter the 6 numbers of the newest email',
  expired: 'There is no code that works now. Get a new one',
};
