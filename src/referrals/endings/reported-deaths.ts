import type { Caller } from '../../accounts/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { sidesOf } from '../model/access/sides.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { type DeathWarning, saveDeathWarnings } from '../model/person/death/death-warnings-store.ts';
import { type PatientIdentity, type PatientKeys, patientKeys } from '../model/person/identity/patient.ts';
import { isSamePersonIfKeysMatch } from '../model/person/identity/same-person.ts';
import { deathReported } from '../model/problems.ts';
import type { Referral } from '../model/referral.ts';
import { deathUnconfirmedProblem } from '../model/status/state-machine.ts';
import { findReportedDeaths, type ReportedDeath } from './reported-deaths-store.ts';

type Candidate = {
  caller: Caller;
  keys: PatientKeys;
  referral: {
    content: { patient?: PatientIdentity | undefined; death_override?: unknown };
    service: { organization_id: string | null } | null;
  };
};

/** Which of the given patients were reported as dead to the caller’s own organisation. The reports may be mistaken. */
export async function filterReportedDead<T extends PatientIdentity>(
  trx: Trx,
  { secrets }: Pick<ReferralDeps, 'secrets'>,
  caller: Caller,
  patients: readonly T[],
): Promise<Set<T>> {
  const candidates = patients.map((patient) => ({
    caller,
    keys: patientKeys(secrets, patient),
    referral: { content: { patient }, service: null },
    patient,
  }));
  const verdicts = await findProblemsAndWarnings(trx, candidates);
  const known = candidates.filter((candidate) => verdicts.get(candidate) instanceof Problem);
  return new Set(known.map(({ patient }) => patient));
}

/**
 * Before an ended referral is opened again, for a caller who has locked the person: refuses it if the caller’s own organisation was told
 * that the person has died. If only others were told, somebody is asked to look into it, as with a new referral.
 * @throws Problem `wrong-state`
 */
export async function checkDeathBeforeReopening(
  trx: Trx,
  deps: Pick<ReferralDeps, 'secrets'>,
  caller: Caller,
  referral: Referral,
): Promise<void> {
  const verdict = await judgeReportedDeath(trx, deps, caller, referral);
  if (verdict instanceof Problem) throw deathUnconfirmedProblem();
  await storeDeathWarnings(trx, [{ referral, deathWarning: verdict }]);
}

/** The same for a referral that goes on in any case, so nothing is refused. */
export async function warnOfReportedDeath(
  trx: Trx,
  deps: Pick<ReferralDeps, 'secrets'>,
  operator: Caller,
  referral: Referral,
): Promise<void> {
  const verdict = await judgeReportedDeath(trx, deps, operator, referral);
  if (!(verdict instanceof Problem)) await storeDeathWarnings(trx, [{ referral, deathWarning: verdict }]);
}

async function judgeReportedDeath(
  trx: Trx,
  { secrets }: Pick<ReferralDeps, 'secrets'>,
  caller: Caller,
  { content: { patient }, service }: Referral,
): Promise<Problem | DeathWarning | undefined> {
  // Without its `death_override`: that answers what was told before the referral was made, and not what was told since.
  const candidate = {
    caller,
    keys: patientKeys(secrets, patient),
    referral: { content: { patient }, service },
  };
  return (await findProblemsAndWarnings(trx, [candidate])).get(candidate);
}

/** Stores the warnings about these referrals, with the job that makes prompts of them. */
export async function storeDeathWarnings(
  trx: Trx,
  withVerdicts: readonly { referral: { id: string }; deathWarning?: DeathWarning | undefined }[],
): Promise<void> {
  const warnings = withVerdicts.flatMap(({ referral, deathWarning }) =>
    deathWarning ? [{ ...deathWarning, referralId: referral.id }] : [],
  );
  if (warnings.length === 0) return;
  await saveDeathWarnings(trx, warnings);
  await addJobs(trx, 'update-prompts', [{}]);
}

/** What follows for each candidate: a refusal if the caller’s organisation was told of the death, a warning if only others were. */
export async function findProblemsAndWarnings<T extends Candidate>(
  trx: Trx,
  candidates: readonly T[],
): Promise<Map<T, Problem | DeathWarning>> {
  const withoutOverride = candidates.filter(({ referral }) => referral.content.death_override === undefined);
  const verdicts = new Map<T, Problem | DeathWarning>();
  for (const [candidate, possibleDeaths] of await findReportedDeaths(trx, withoutOverride)) {
    const patient = candidate.referral.content.patient ?? {};
    const deaths = possibleDeaths.filter((death) => isSamePersonIfKeysMatch(death, patient));
    if (deaths.length === 0) continue;
    const toldToCaller = deaths.find((death) => isKnownTo(candidate.caller, death));
    verdicts.set(candidate, toldToCaller ? deathProblem(toldToCaller) : deathWarningFor(candidate, deaths));
  }
  return verdicts;
}

function isKnownTo(
  caller: Caller,
  { isRestricted, serviceOrganizationId, ...ownership }: ReportedDeath,
): boolean {
  const referral = { ...ownership, service: { organization_id: serviceOrganizationId } };
  return !isRestricted && sidesOf(caller, referral).length > 0;
}

function deathWarningFor(
  { referral: { service } }: Candidate,
  deaths: readonly ReportedDeath[],
): DeathWarning {
  const organization = service?.organization_id ?? null;
  const toldToService = deaths.find(
    ({ serviceOrganizationId, isRestricted }) =>
      !isRestricted && organization !== null && serviceOrganizationId === organization,
  );
  return { reportId: (toldToService ?? deaths[0]!).reportId, side: toldToService ? 'provider' : 'operators' };
}

function deathProblem({ referralId, reference, reportedAt }: ReportedDeath): Problem {
  return new Problem(deathReported, undefined, {
    extra: { reference, referral_id: referralId, reported_at: reportedAt.toISOString() },
  });
}
