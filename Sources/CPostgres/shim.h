#pragma once

#include <libpq-fe.h>

/* Swift does not import these field codes, as they are macros with character literals. */
static const int relist_pg_sqlstate = PG_DIAG_SQLSTATE;
static const int relist_pg_severity = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int relist_pg_constraint = PG_DIAG_CONSTRAINT_NAME;
static const int relist_pg_message = PG_DIAG_MESSAGE_PRIMARY;
static const int relist_pg_source_file = PG_DIAG_SOURCE_FILE;
