import type {
  DayCountsDocument,
  KeyUseDocument,
  KeyUsePart,
  LimitReadingDocument,
  LimitReadingPart,
} from '../documents/usage.ts';
import { part, presentText, required, schema } from './schema.ts';

export const dayCountsSchema = schema<DayCountsDocument>({
  workspaceId: required(String),
  subject: required(String),
  day: required(Date),
  counts: Object,
  expiresAt: required(Date),
});

export const keyUseSchema = schema<KeyUseDocument>({
  workspaceId: required(String),
  last: part<KeyUsePart>({ at: required(Date), address: presentText }),
});

export const limitReadingSchema = schema<LimitReadingDocument>({
  workspaceId: required(String),
  last: part<LimitReadingPart>({
    at: required(Date),
    minuteUsed: required(Number),
    minuteEnds: required(Date),
    monthUsed: required(Number),
    monthEnds: required(Date),
  }),
});
