import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const paper = join(root, 'docs', 'clinical-safety.md');

/** From 1 to 5, as in the guidance to DCB0129 and DCB0160. */
type Rating = { readonly severity: number; readonly likelihood: number };

type Hazard = {
  readonly id: string;
  readonly title: string;
  readonly happens: string;
  readonly cause: string;
  readonly effect: string;
  readonly initial: Rating;
  readonly controls: readonly {
    readonly control: string;
    readonly tests: readonly { readonly file: string; readonly title: string }[];
  }[];
  /** Markdown: where to read more. */
  readonly more?: string;
  /** What the site's staff do, which the product cannot. */
  readonly site: string;
  readonly residual: Rating;
  /** Why it is rated so with the controls: what they do not reach. */
  readonly why?: string;
  /** A role in the deploying organisation. */
  readonly owner: string;
};

const severities = ['minor', 'significant', 'considerable', 'major', 'catastrophic'];
const likelihoods = ['very low', 'low', 'medium', 'high', 'very high'];
/** The risk from 1 to 5, by likelihood (a row) and severity, as in the guidance to DCB0129. */
const risks = [
  [1, 1, 2, 2, 3],
  [1, 2, 2, 3, 4],
  [2, 2, 3, 3, 4],
  [2, 3, 3, 4, 5],
  [3, 4, 4, 5, 5],
];

export function readHazards(): readonly Hazard[] {
  const file = join(root, 'docs', 'assurance', 'hazards.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { hazards: Hazard[] }).hazards;
}

/** The paper on clinical safety with its hazard log as the data say it. Its other sections are written by hand. */
export function renderClinicalSafety(): string {
  const written = readFileSync(paper, 'utf8');
  const parts = /^(.*?<!-- hazards -->\n)(.*?)(<!-- end of hazards -->.*)$/s.exec(written);
  if (!parts) throw new Error('docs/clinical-safety.md has no place for the hazards');
  const hazards = readHazards();
  const log = hazards.map(renderHazard).join('\n');
  const proofs = ['## Proofs', whatProofsAre, ...hazards.map(renderProof)].join('\n\n');
  return `${parts[1]}\n${log}\n${proofs}\n\n${parts[3]}`;
}

const whatProofsAre =
  "The tests that prove each control, by its number in the log. Each is named by its file and title: `npx vitest run <file> -t '<title>'`. Put `TEST_WHOLE_SITES=1` before it for tests in Chromium, of whole sites and of backups, and `TEST_SLOW=1` for one that is skipped.";

/** @returns the risk from 1 to 5. */
export function riskOf({ severity, likelihood }: Rating): number | undefined {
  return risks[likelihood - 1]?.[severity - 1];
}

function renderHazard(hazard: Hazard, index: number): string {
  const { id, more } = hazard;
  return [
    `### ${index + 1}. ${hazard.title}`,
    `**Id:** ${hazard.id}. **Owner:** ${hazard.owner}.`,
    `**What happens:** ${hazard.happens}`,
    `**Cause:** ${hazard.cause}`,
    `**Effect:** ${hazard.effect}`,
    `**Before the controls:** ${ratingInWords(hazard.initial)}.`,
    `**Controls in the product** ([their tests](#proof-of-${id.toLowerCase()})):`,
    hazard.controls.map(({ control }, position) => `${position + 1}. ${control}.`).join('\n'),
    ...(more ? [more] : []),
    `**What the site does:** ${hazard.site}`,
    `**With the controls:** ${ratingInWords(hazard.residual)}.${hazard.why ? ` ${hazard.why}` : ''}`,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function renderProof({ id, title, controls }: Hazard): string {
  const lines = controls.map(({ tests }, position) => {
    const named = tests.map(({ file, title: test }) => `\`${file}\`: “${test}”`);
    return `${position + 1}. ${named.join('; ')}`;
  });
  return `### Proof of ${id}\n\n${title}:\n\n${lines.join('\n')}`;
}

function ratingInWords(rating: Rating): string {
  const { severity, likelihood } = rating;
  return `severity ${severity} (${severities[severity - 1]}), likelihood ${likelihood} (${likelihoods[likelihood - 1]}), risk ${riskOf(rating)}`;
}
