import { mentionsCrisis } from '../../../../library/index.ts';
import { dayInWords, momentInWords } from '../../../../platform/html/index.ts';
import { contactElsewhereInWords } from '../../../model/access/contact-elsewhere.ts';
import { contactWhileHiddenInWords } from '../../../model/access/hide-sensitive-services.ts';
import { replacedWaysInWords } from '../../../model/access/referrers-details.ts';
import { hasOpenRisk } from '../../../model/attention/prompts.ts';
import type { WorkingDays } from '../../../model/due/working-time.ts';
import type { HistoryLine } from '../../../model/history-store.ts';
import { ageInWords } from '../../../model/person/age.ts';
import { agreementInWords, saidByInWords, youngDeciderInWords } from '../../../model/person/agreement.ts';
import { isRiskToRead, riskInWords } from '../../../model/person/danger/risk.ts';
import {
  contactNotAsked,
  hidesOnline,
  limitsContact,
  needsCareToContact,
  safeContactInWords,
  waysToLink,
} from '../../../model/person/danger/safe-contact.ts';
import { codedFieldsInWords } from '../../../model/presentation/coded-fields.ts';
import { type PresentedReferral, replacedWaysIn } from '../../../model/presentation/present.ts';
import { type Agreement, isSent, openStatuses } from '../../../model/referral.ts';
import { patientName } from '../../name-and-due.ts';
import type { FullReferral } from './full-referral.ts';
import { contactOfWrongPerson, isContactHidden } from './wrong-person.ts';

export type ViewSettings = WorkingDays & Parameters<typeof contactElsewhereInWords>[1];

/** Who the person is, how they may be reached, what threatens them, and what they agreed to. */
export function personInWords(settings: ViewSettings, full: FullReferral) {
  const { presented, referral, history, today } = full;
  const { content } = referral;
  const wasSent = isSent(referral);
  const saidBy = 'consent' in presented ? presented.consent?.said_by : undefined;
  const crisisSince = crisisSinceInWords(full);
  // Not of a draft, which nobody visits yet, and not for a reader from whom it is hidden.
  const safetyNote = wasSent && 'safety_notes' in presented ? presented.safety_notes : undefined;
  const replaced = replacedWaysInWords(replacedWaysIn(presented));
  const elsewhere = contactElsewhereInWords(presented.contact_elsewhere ?? [], settings);
  const isHidden = isContactHidden(full);
  const answer = isHidden
    ? contactOfWrongPerson
    : (safeContactInWords(content.contact) ?? (wasSent ? contactNotAsked : undefined));
  // Nobody is about to ring once it has ended, so then only what endangers the person is a warning.
  const needsCare = wasSent && !openStatuses.includes(referral.status) ? limitsContact : needsCareToContact;
  return {
    name: patientName(presented),
    age: ageOf(presented, today),
    safeContact: {
      text: [replaced, full.isServiceHidden ? contactWhileHiddenInWords : answer].filter(Boolean).join(' '),
      elsewhere,
      needsCare:
        isHidden || replaced !== undefined || elsewhere.first !== undefined || needsCare(content.contact),
    },
    // Where another referral asks for more care, somebody reads that first.
    linksTo: waysToLink(full.isServiceHidden || elsewhere.first || replaced ? undefined : content.contact),
    isHiddenOnline: full.isSensitive || hidesOnline(content),
    youngDecider: isSent(referral) && !full.isServiceHidden && youngDeciderInWords(referral.content, today),
    coded: codedFieldsInWords(
      'consent' in presented ? (presented as Parameters<typeof codedFieldsInWords>[0]) : {},
    ),
    safetyNote,
    risk: {
      words: isSent(referral)
        ? [
            ...riskInWords(referral.content, {
              day: momentTextInWords,
              crisisPhrases: full.crisisPhrases,
              isNoteBeside: safetyNote !== undefined,
            }),
            ...practiceUntoldOfRisk(full),
            ...crisisSince,
          ]
        : [],
      /** Also a reader who may not read of the risk is told that there is one, as in the lists. */
      isAskedAbout: hasOpenRisk(presented),
      isToRead:
        isSent(referral) && (isRiskToRead(referral.content, full.crisisPhrases) || crisisSince.length > 0),
    },
    agreement:
      isSent(referral) &&
      referral.content.agreement &&
      agreementInWords(referral.content.agreement, dayInWords),
    saidBy: saidBy && saidByInWords(saidBy as Agreement, dayInWords),
    sharedBefore: content.consent?.share_with_gp ?? false,
    sharingWithdrawn: isSharingWithdrawn(presented, history),
  };
}

/** Codes say nothing of a risk. Where somebody is in danger, the practice is told whatever the person agreed to. */
function practiceUntoldOfRisk({
  presented,
  referral,
  practiceTelephone,
  crisisPhrases,
}: FullReferral): string[] {
  const { gp_practice: practice } = presented;
  const getsCodesOnly = 'consent' in presented && presented.consent?.share_with_gp === 'codes_only';
  if (practice === null || !getsCodesOnly || !isSent(referral)) return [];
  if (!isRiskToRead(referral.content, crisisPhrases)) return [];
  const who = [practice.name, practiceTelephone].filter(Boolean).join(', ');
  return [
    `The GP practice gets codes only, and is told nothing of the risk. Tell it by telephone if the person agrees, or if somebody is in danger: ${who}.`,
  ];
}

/** What the sides have written since, where it has words of a crisis. */
function crisisSinceInWords(full: FullReferral): string[] {
  const { messages, lifeChanges, attachments, presented, crisisPhrases } = full;
  const { status_reason: reason } = presented;
  const outcome = 'outcome' in presented ? presented.outcome : null;
  const parts = [
    ['the reason for the present status', reason ? [reason] : []],
    ['the outcome', outcome ? [outcome] : []],
    ['why it was transferred', transferReasons(full)],
    ['what has changed', lifeChanges],
    ['a message', messages],
    ['the name of a file', attachments.map(({ name }) => ({ text: name }))],
  ] as const;
  const isCrisis = ({ text }: { text: string }) => mentionsCrisis(text, crisisPhrases);
  const found = parts.filter(([, items]) => items.some(isCrisis));
  const isInNote = full.own?.notes.some(isCrisis) ?? false;
  const untold = [...messages, ...lifeChanges].some((each) => isCrisis(each) && !makesLetter(each, full));
  return [
    ...found.map(([part]) => `Words of a crisis are in ${part}: read it.`),
    ...(untold ? [practiceUntoldInWords(full)] : []),
    ...(isInNote ? [crisisInNoteInWords] : []),
  ];
}

function transferReasons({ history }: FullReferral): { text: string }[] {
  return history.flatMap(({ details, reason }) => (details?.kind === 'transfer' && reason ? [reason] : []));
}

/** A warning that a private note has words of a crisis: its writer may think that somebody else acts on it. */
const crisisInNoteInWords =
  'Words of a crisis are in a private note. Only your organisation reads it, and nobody else was told. If anybody is in danger now, call 999. ' +
  'Tell the other organisation, too: select “Things have changed for the person”.';

/** Only a life change that makes the referral urgent makes a letter to the practice. It says that a clinician must read it and ring. */
function makesLetter(news: object, { presented, practiceClosedOn }: FullReferral): boolean {
  const mayTell = 'consent' in presented && presented.consent?.share_with_gp === true;
  const hasRaised = 'raisedUrgency' in news && news.raisedUrgency === true;
  return hasRaised && mayTell && presented.gp_practice !== null && practiceClosedOn === null;
}

/** A message is for the two sides, so a person decides whether the practice hears of it. */
function practiceUntoldInWords({ presented, practiceTelephone, practiceClosedOn }: FullReferral): string {
  const untold = 'The GP practice has not been told of this.';
  const { gp_practice: practice } = presented;
  if (practice === null || practiceClosedOn !== null)
    return `${untold} Ask the person which practice they have now.`;
  const who = [practice.name, practiceTelephone].filter(Boolean).join(', ');
  if ('consent' in presented && presented.consent?.share_with_gp === true)
    return `${untold} Tell the practice too: ${who}.`;
  return `${untold} The person did not agree that the practice reads such things. Ask them, or your safeguarding lead, before you tell ${who}.`;
}

function ageOf(presented: PresentedReferral, today: string): string | undefined {
  const born = 'patient' in presented ? presented.patient?.birth_date : undefined;
  return born === undefined ? undefined : ageInWords(born, today);
}

/** Whether the person took back the copy for the practice. The service may have spoken with it before, so it reads this first. */
function isSharingWithdrawn(presented: PresentedReferral, history: readonly HistoryLine[]): boolean {
  // A transfer to a sensitive service ends it too, and says nothing of what the person wants.
  const changes = history.flatMap(({ details }) =>
    details && details.kind !== 'transfer' ? details.changes : [],
  );
  const last = changes.findLast(({ field }) => field === 'consent.share_with_gp');
  return 'consent' in presented && presented.consent.share_with_gp === false && last?.to === false;
}

function momentTextInWords(moment: string): string {
  return momentInWords(new Date(moment));
}
