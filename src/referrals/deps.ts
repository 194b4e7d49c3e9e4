import type { Platform } from '../platform/platform.ts';
import type { ReferralListener } from './listener.ts';

export type ReferralDeps = Platform & { readonly referralListener: ReferralListener };
