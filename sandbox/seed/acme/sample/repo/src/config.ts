import { z } from 'zod';

const Env = z.object({
  PORT: z.coerce.number().int().default(8080),
  DATABASE_URL: z.url(),
  PUBLIC_URL: z.url().default('http://localhost:8080'),
  LOG_LEVEL: z.string().default('info'),
  SESSION_SECRET: z.string().min(8),
  SESSION_TTL_HOURS: z.coerce.number().positive().default(12),
  MAIL_FROM: z.email(),
  SMTP_URL: z.url(),
  CARRIER_API_URL: z.url(),
  PAYMENT_API_URL: z.url(),
  PAYMENT_API_KEY: z.string().default(''),
  EXPORT_PAGE_SIZE: z.coerce.number().int().positive().default(500),
});

export interface Config {
  port: number;
  databaseUrl: string;
  publicUrl: string;
  logLevel: string;
  sessionSecret: string;
  sessionTtlHours: number;
  mailFrom: string;
  smtpUrl: string;
  carrierUrl: string;
  paymentUrl: string;
  paymentKey: string;
  /** Rows the CSV export reads from the database at a time. */
  exportPageSize: number;
}

/** Reads the settings once at the start; a wrong one ends the process with the list of what is wrong. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const parsed = Env.parse(env);
  return {
    port: parsed.PORT,
    databaseUrl: parsed.DATABASE_URL,
    publicUrl: parsed.PUBLIC_URL,
    logLevel: parsed.LOG_LEVEL,
    sessionSecret: parsed.SESSION_SECRET,
    sessionTtlHours: parsed.SESSION_TTL_HOURS,
    mailFrom: parsed.MAIL_FROM,
    smtpUrl: parsed.SMTP_URL,
    carrierUrl: parsed.CARRIER_API_URL,
    paymentUrl: parsed.PAYMENT_API_URL,
    paymentKey: parsed.PAYMENT_API_KEY,
    exportPageSize: parsed.EXPORT_PAGE_SIZE,
  };
}
