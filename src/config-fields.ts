/** Kinds of settings; each message says what was expected and never repeats the value. */
import { z } from 'zod';

export const millis = (fallback: number, min: number, max: number) =>
  integer(`a whole number of milliseconds from ${min} to ${max}`, fallback, min, max);

/** Milliseconds of which 0 means: not at all. */
export const wholeMillis = (fallback: number, max: number) =>
  integer(`a whole number of milliseconds from 0 to ${max}`, fallback, 0, max);

/** What a token or key can be: a header holds nothing else, and who says so would repeat it. */
export const IN_A_HEADER = /^[\x21-\x7e]+$/;

export const secret = (expected: string, pattern: RegExp) =>
  z
    .string()
    .regex(pattern, expected)
    .optional()
    .transform((value) => value ?? null);

export function integer(expected: string, fallback: number, min: number, max: number) {
  return z
    .string()
    .trim()
    .refine((text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max, expected)
    .default(String(fallback))
    .transform(Number);
}

export function optionalInteger(expected: string, min: number, max: number) {
  return z
    .string()
    .trim()
    .refine((text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max, expected)
    .optional()
    .transform((text) => (text === undefined ? null : Number(text)));
}

export function urlOf(protocols: string[], expected: string) {
  return z
    .string()
    .trim()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), expected)
    .optional()
    .transform((text) => text ?? null);
}

export function httpUrl(expected: string) {
  return z
    .string()
    .trim()
    .refine(isPlainHttpUrl, `${expected}, without user, query and fragment`)
    .optional()
    .transform((text) => (text === undefined ? null : new URL(text).href.replace(/\/+$/, '')));
}

function isPlainHttpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}
