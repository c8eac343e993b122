/** The format of runs this version begins and can advance; raised when an older worker could not (rolling upgrade). */
export const RUN_FORMAT = 1;
