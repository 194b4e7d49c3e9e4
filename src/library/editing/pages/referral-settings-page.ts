import { requireCaller } from '../../../accounts/index.ts';
import { type FormProblem, formProblem, readForm, trimmed } from '../../../platform/html/index.ts';
import type { App, Reply, Request } from '../../../platform/http/index.ts';
import { isMailAddress } from '../../../platform/mail/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { type FieldError, Problem, unprocessable } from '../../../platform/problem/index.ts';
import { channelChoices, readChannels } from '../../view/channel-words.ts';
import { servicePath } from '../../view/links.ts';
import { readForEdit } from '../edit-service.ts';
import { readReferralSettings, setReferralSettings } from '../referral-settings.ts';
import { anyForm, editors, idParams } from './edit-pages.ts';

const labels = {
  accepts: 'Does it take referrals through this site?',
  channels: 'How referrals reach it',
  name: 'Who answers',
  email: 'Their email address',
  telephone: 'Their telephone number',
};

type Form = { accepts: string; channels: readonly string[]; name: string; email: string; telephone: string };

/** How referrals reach a service, and who answers them. */
export function referralSettingsPage(app: App, deps: WebPlatform): void {
  const path = '/services/:id/referral-settings';
  app.get(path, { config: editors, schema: { params: idParams } }, async (request, reply) => {
    const { id } = request.params;
    const { accepts, channels, answered_by } = await readReferralSettings(deps, requireCaller(request), id);
    const { name, email, telephone } = answered_by;
    return sendForm(deps, request, reply, id, {
      accepts: accepts ? 'yes' : 'no',
      channels,
      name: name ?? '',
      email: email ?? '',
      telephone: telephone ?? '',
    });
  });

  app.post(path, { config: editors, schema: { params: idParams, body: anyForm } }, async (request, reply) => {
    const { id } = request.params;
    const texts = readForm(request.body, ['accepts', 'name', 'email', 'telephone']);
    const form = { ...texts, channels: readChannels(request.body) };
    const errors = errorsOf(form);
    if (errors.length > 0) {
      const problem = formProblem(labels, new Problem(unprocessable, undefined, { errors }));
      return sendForm(deps, request, reply.code(unprocessable.status), id, form, problem);
    }
    const settings = {
      accepts: form.accepts === 'yes',
      channels: form.channels,
      answered_by: {
        name: trimmed(form.name) ?? null,
        email: trimmed(form.email) ?? null,
        telephone: trimmed(form.telephone) ?? null,
      },
    };
    await setReferralSettings(deps, requireCaller(request), { id, address: request.ip, settings });
    return reply.redirect(servicePath(id), 303);
  });
}

function errorsOf({ accepts, channels, name, email, telephone }: Form): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (field: string, message: string) => errors.push({ pointer: `/${field}`, message });
  if (accepts !== 'yes' && accepts !== 'no') refuse('accepts', 'Say whether it takes referrals');
  if (channels.length === 0) refuse('channels', 'Choose at least one way');
  if (name.length > 200) refuse('name', 'must have at most 200 characters');
  if (email.trim() !== '' && !isMailAddress(email.trim())) {
    refuse('email', 'Enter an email address such as name@example.org');
  }
  if (telephone.length > 50) refuse('telephone', 'must have at most 50 characters');
  return errors;
}

async function sendForm(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  id: string,
  values: Form,
  errors?: FormProblem,
): Promise<Reply> {
  const service = await readForEdit(deps.db, requireCaller(request), id);
  return deps.pages.send(request, reply, 'library/templates/referral-settings.njk', {
    service,
    entryPath: servicePath(id),
    values,
    errors,
    labels,
    channelChoices,
  });
}
