import { z } from 'zod';

/** ISO 8601 in UTC, as every service writes it. */
export const dateTime = z.string().meta({ format: 'date-time' });
