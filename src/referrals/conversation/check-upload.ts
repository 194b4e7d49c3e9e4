import { type Actor, recordAudit } from '../../audit/index.ts';
import { recordConnectionFailure, recordConnectionWorking } from '../../platform/connections/index.ts';
import { countPages } from '../../platform/count-pages.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { cleanFileName, detectFileType } from '../../platform/file-type.ts';
import { scanFile, uploadTimeoutMs } from '../../platform/outbound/index.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import type { ReferralDeps } from '../model/deps.ts';

export type UploadedFile = { name: string; content: Buffer };

/** @throws Problem `unprocessable` unless the content is a PDF, PNG or JPEG */
export function describeFile({ name, content }: UploadedFile) {
  const kind = requireFileType(content);
  return {
    name: cleanFileName(name, kind.extension),
    mediaType: kind.mediaType,
    size: content.length,
    pages: countPages(content, kind.mediaType),
  };
}

/** The file's name does not matter. @throws Problem `unprocessable` unless the content is a PDF, PNG or JPEG */
function requireFileType(content: Buffer) {
  const kind = detectFileType(content);
  if (kind) return kind;
  const errors = [{ pointer: '/file', message: 'must be a PDF, PNG or JPEG file' }];
  throw new Problem(unprocessable, 'The type is checked by the content of the file, not by its name.', {
    errors,
  });
}

/**
 * Has the site's scanner look at a file.
 * @returns whether it has; false where none is set up, or none answered
 * @throws Problem `unprocessable` for anything but a PDF, PNG or JPEG, and for a virus
 */
export async function scanUploaded(
  { db, settings }: ReferralDeps,
  file: UploadedFile,
  { referralId, actor, at }: { referralId: string; actor: Actor; at: Date },
): Promise<boolean> {
  if (settings.scanUrl === undefined) return false;
  requireFileType(file.content);
  const result = await scanFile(settings, file.content, { timeoutMs: uploadTimeoutMs });
  await inTransaction(db, async (trx) => {
    await recordScan(trx, result, at);
    if (result === 'infected')
      await recordAudit(trx, {
        at,
        actor,
        action: 'referral.file_refused',
        subject: { type: 'referral', id: referralId },
        details: { reason: 'virus' },
      });
  });
  if (result === 'infected') {
    const errors = [{ pointer: '/file', message: 'has a virus, so nothing was stored', code: 'virus' }];
    throw new Problem(unprocessable, 'The computer it came from may be infected. Tell your IT team.', {
      errors,
    });
  }
  return result === 'clean' && !isEncrypted(file.content);
}

/** Operators learn of a scanner that does not look at files. */
export async function recordScan(
  trx: Trx,
  result: Awaited<ReturnType<typeof scanFile>>,
  at: Date,
): Promise<void> {
  const connection = 'virus-scanner';
  if (result !== 'not-scanned') return recordConnectionWorking(trx, connection, at);
  const reason = 'It did not answer, or not with a verdict.';
  await recordConnectionFailure(trx, { connection, kind: 'away', reason }, at);
}

/** A scanner cannot look into a PDF that opens with a password, whatever verdict it gives. */
export const isEncrypted = (content: Buffer): boolean => content.includes('/Encrypt');
