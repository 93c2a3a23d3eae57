import { bounds, type Span } from '@postroom/contract/bounds';
import { faultInName, faultInText } from '@postroom/contract/text';
import { z } from 'zod';

/** Text between bounds that are counted in code points, the way a person counts; zod would count UTF-16 units. */
export function text(span: Span): z.ZodType<string, string> {
  return checked(z.string(), span, faultInText);
}

/** Spaces at both ends do not count and are not kept. */
export function trimmedText(span: Span): z.ZodType<string, string> {
  return checked(z.string().trim(), span, faultInText);
}

/** What people call a label, a view or a rule. */
export function name(span: Span): z.ZodType<string, string> {
  return checked(z.string().trim(), span, faultInName);
}

function checked(base: z.ZodString, span: Span, faultIn: (value: string, span: Span) => string | undefined) {
  return base
    .superRefine((value, context) => {
      const fault = faultIn(value, span);
      if (fault) context.addIssue({ code: 'custom', message: fault });
    })
    .meta({ minLength: span.min, maxLength: span.max });
}

/** An id as callers send it: opaque, so its form is no fault of theirs, but nothing in it may break anything. */
export const opaqueId = text(bounds.id);
