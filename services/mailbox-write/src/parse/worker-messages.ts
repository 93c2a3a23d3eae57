import type { ParsedMail } from './parsed-mail.ts';

export interface WorkerRequest {
  id: number;
  raw: Uint8Array;
}

export type WorkerAnswer =
  { kind: 'ready' } | { kind: 'mail'; id: number; mail: ParsedMail } | { kind: 'refused'; id: number; cause: string };

export type ParseOutcome = Exclude<WorkerAnswer, { kind: 'ready' }>;
